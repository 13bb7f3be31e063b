"""Tags that this table has never seen, but that say themselves what they sit on (`companion tags write`)."""

from companion.devices.reader import Greet
from companion.table.pieces import Pack


def introductions(pack: Pack) -> Greet | None:
    """For `equipment(table, greet=…)`: a tag that is not in this pack is asked for its text, which comes as a signal.

    Without ndeflib there are no introductions, and such a tag stays unknown. A satellite's pads do not read texts."""
    try:
        from companion.devices.ndef import Introductions
    except ImportError:
        return None
    return Introductions(frozenset(pack.tags))
