"""The boards: where each part lies, how it is wired, what a board house gets. `make board` makes them with KiCad 9."""
