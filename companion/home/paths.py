"""Where the owner's files are. No other module puts these paths together."""

import os
from pathlib import Path

from companion.errors import UsageError


def home() -> Path:
    """The folder for everything that belongs to this table. COMPANION_HOME overrides it. Raises UsageError if this user
    has no home."""
    if named := os.environ.get("COMPANION_HOME"):
        return Path(named)
    if data := os.environ.get("XDG_DATA_HOME"):
        return Path(data) / "companion"
    try:
        return Path.home() / ".local" / "share" / "companion"
    except RuntimeError:
        raise UsageError("this user has no home folder; set COMPANION_HOME to a folder for the evenings") from None


# --- For each game --------------------------------------------------------------------------------------------


def box_path(game: str) -> Path:
    """What is printed on the owner's own pieces."""
    return home() / "boxes" / f"{game}.toml"


def pack_path(game: str) -> Path:
    """Which tag sits on which piece."""
    return home() / "tags" / f"{game}.toml"


def progress_path(game: str) -> Path:
    """How far the enrolment of the box has got."""
    return home() / "enrolments" / f"{game}.json"


def print_path(game: str) -> Path:
    """Which box of this game was printed on paper last."""
    return home() / "prints" / f"{game}.toml"


# --- For the table --------------------------------------------------------------------------------------------


def evenings_folder() -> Path:
    return home() / "evenings"


def removed_folder() -> Path:
    """Removed evenings. Moved back by hand, they are listed again."""
    return home() / "removed"


def log_path(evening: str) -> Path:
    """The output of this evening's referee process."""
    return home() / "logs" / f"{evening}.log"


def crashes_path() -> Path:
    """The log of our own mistakes. It holds no secret."""
    return home() / "logs" / "crashes.log"


def looks_path() -> Path:
    """What was chosen on the screen: language, theme, speech, times."""
    return home() / "screen.toml"


def people_path() -> Path:
    """Who plays here: names, colours, player cards."""
    return home() / "people.toml"


def past_games_path() -> Path:
    """The results of all evenings, as they were last read. It can be deleted: the journals have everything."""
    return home() / "past-games.json"


def earlier_plays_path() -> Path:
    """Plays that were imported from other programs."""
    return home() / "earlier-plays.json"


def certificate_path() -> Path:
    """The certificate for phones that connect with HTTPS. Its key is beside it."""
    return home() / "phones" / "certificate.pem"


def hall_path() -> Path:
    """The log of the hall that this computer runs: its nights, results and tables."""
    return home() / "hall" / "hall.sqlite"


def hall_membership_path() -> Path:
    """The hall to which this table belongs, with its credential."""
    return home() / "hall" / "membership.json"


def club_pack_path(game: str) -> Path:
    """The tags of all boxes of the club."""
    return home() / "hall" / "tags" / f"{game}.toml"


def club_box_path(game: str) -> Path:
    """The box of the club that this table uses."""
    return home() / "hall" / "boxes" / f"{game}.toml"


def hall_broker_folder() -> Path:
    """The configuration of the hall's broker, with its passwords and its key."""
    return home() / "hall" / "broker"


def outbox_folder() -> Path:
    """Results for the hall."""
    return home() / "hall" / "outbox"


def sockets_folder() -> Path:
    """The folder for the referees' sockets, if the system has none."""
    return home() / "run"
