"""Old games are data here: tests of the kit play them, and pytest looks for nothing in them."""

collect_ignore = ["kits"]
