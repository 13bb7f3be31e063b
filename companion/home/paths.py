"""Where the owner's files lie, and what they are called. No other module puts these names together."""

import os
from pathlib import Path


def home() -> Path:
    """Where Companion keeps what belongs to this table. COMPANION_HOME overrides it."""
    named = os.environ.get("COMPANION_HOME")
    if named:
        return Path(named)
    data = os.environ.get("XDG_DATA_HOME")
    return (Path(data) if data else Path.home() / ".local" / "share") / "companion"


# --- For each game --------------------------------------------------------------------------------------------


def box_path(game: str) -> Path:
    """What is printed on the owner's own pieces."""
    return home() / "boxes" / f"{game}.toml"


def pack_path(game: str) -> Path:
    """Which tag sits on which piece."""
    return home() / "tags" / f"{game}.toml"


def progress_path(game: str) -> Path:
    """How far the owner has come through the box."""
    return home() / "enrolments" / f"{game}.json"


def print_path(game: str) -> Path:
    """Which box of this game was printed on paper last."""
    return home() / "prints" / f"{game}.toml"


# --- For the table --------------------------------------------------------------------------------------------


def evenings_folder() -> Path:
    return home() / "evenings"


def removed_folder() -> Path:
    """Evenings that somebody has removed: moved back by hand, they are listed again."""
    return home() / "removed"


def log_path(evening: str) -> Path:
    """What the referee of this evening says besides its work."""
    return home() / "logs" / f"{evening}.log"


def crashes_path() -> Path:
    """What is known about mistakes of ours that ended a process. It holds no secret."""
    return home() / "logs" / "crashes.log"


def looks_path() -> Path:
    """How the screen is to look."""
    return home() / "screen.toml"


def certificate_path() -> Path:
    """By which phones know this table, where what they say is encrypted; its key lies beside it."""
    return home() / "phones" / "certificate.pem"


def sockets_folder() -> Path:
    """Where referees listen if the system has no place for that."""
    return home() / "run"
