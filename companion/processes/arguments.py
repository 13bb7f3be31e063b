"""Arguments that several verbs share: who plays, how simulated hands play, how the screen looks; and what that
means."""

from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path
from typing import Any, get_args

from msgspec import Struct

from companion.gamekit import discovery
from companion.home.paths import looks_path
from companion.home.preferences import LooksFile
from companion.language.screen_language import LANGUAGES
from companion.messages.lobby import USUAL_GAME
from companion.messages.looks import THEMES
from companion.messages.phone_access import PORT
from companion.processes.evenings import Plan
from companion.processes.phone_server import PhonesWish
from companion.processes.simulation_settings import Pace, Through
from companion.stations import KITS

# --- An evening -----------------------------------------------------------------------------------------------


def add_game(parser: ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", type=game_name, default=USUAL_GAME, help=f"{USUAL_GAME} (default)")


def game_name(said: str) -> str:
    """A game however its name is typed: Lascaux is lascaux. An unknown name is reported later, as it was typed."""
    known = {name.casefold(): name for name in discovery.names()}
    return known.get(said.casefold(), said)


def add_plan(parser: ArgumentParser) -> None:
    """Everything about an evening but its game."""
    parser.add_argument("--players", nargs="+", metavar="NAME", help="the players, clockwise")
    parser.add_argument(
        "--simulated",
        nargs="*",
        metavar="NAME[:LEVEL]",
        help="which of them the computer plays; Ben:easy, Ben:solid or Ben:strong says how well, Ben:solid:bold or "
        "Ben:solid:careful in what temper",
    )
    parser.add_argument("--first", metavar="NAME", help="who starts (default: the first one named)")
    add_options(parser)
    parser.add_argument("--box", type=Path, metavar="FILE", help="the box file (default: your own, else the stand-in)")
    parser.add_argument(
        "--kit",
        choices=KITS,
        help="the devices on the table; none: enter everything on the screen (default: simulated pads)",
    )


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--option", action="append", default=[], type=_option, metavar="NAME=VALUE", help="a table option"
    )


def plan(said: Namespace) -> Plan:
    simulated = None if said.simulated is None else tuple(said.simulated)
    options = dict(said.option)
    return Plan(
        said.game or USUAL_GAME,
        tuple(said.players or ()),
        simulated,
        said.first,
        options,
        said.box,
        said.kit,
        said.seed,
    )


def nothing_planned(said: Namespace) -> bool:
    """Then the screen asks."""
    return not any((said.game, said.players, said.simulated, said.first, said.option, said.box, said.kit))


def add_table(parser: ArgumentParser) -> None:
    parser.add_argument("--table", type=Path, metavar="FILE", help="use another table.toml")


# --- Simulated hands ------------------------------------------------------------------------------------------


def add_pace(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--seed",
        type=int,
        help="the same seed plays the same game, simulated secrets included",
    )
    parser.add_argument("--speed", type=_speed, default=1.0, help="1 = as people play, 4 = four times as fast")
    parser.add_argument(
        "--mischief", type=_rate, default=0.0, metavar="RATE", help="0 to 1: how often simulated players make mistakes"
    )
    parser.add_argument("--through", choices=get_args(Through), default="signals", help=SUPPRESS)


def pace(said: Namespace) -> Pace:
    return Pace(said.seed, said.speed, said.mischief, said.through)


# --- The screen -----------------------------------------------------------------------------------------------


class Looks(Struct, frozen=True):
    """What was said about the screen; None: as it was set last time."""

    language: str | None
    theme: str | None
    kiosk: bool
    memory: LooksFile

    def of(self) -> dict[str, Any]:
        """What the app wants to know."""
        return {name: getattr(self, name) for name in self.__struct_fields__}


def add_looks(parser: ArgumentParser) -> None:
    parser.add_argument("--language", choices=tuple(LANGUAGES), help="language of the screen (default: as last time)")
    parser.add_argument("--theme", choices=THEMES, help="colours of the screen (default: as last time)")
    parser.add_argument("--kiosk", action="store_true", help="a screen without keyboard: no key hints, no way out")


def looks(said: Namespace) -> Looks:
    return Looks(said.language, said.theme, said.kiosk, LooksFile(looks_path()))


# --- Phones ---------------------------------------------------------------------------------------------------


def add_phones(parser: ArgumentParser) -> None:
    parser.add_argument("--phones", action="store_true", help="use phones as pads; the screen shows their codes")
    add_phones_place(parser)


def add_phones_place(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--address", default="", metavar="IP", help="the address that phones use (default: this computer)"
    )
    parser.add_argument("--port", type=_port, default=PORT, help=f"{PORT} (default), or the next free port")
    parser.add_argument("--tls", action="store_true", help="use HTTPS with a self-signed certificate")


def phones_wish(said: Namespace) -> PhonesWish:
    return PhonesWish(said.address, said.port, said.tls)


# --- Values ---------------------------------------------------------------------------------------------------


def natural(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"expected a whole number, 1 or more, got {text!r}")
    return int(text)


def _port(text: str) -> int:
    return int(_number(text, 1, 65535))


def _option(text: str) -> tuple[str, str | bool | int]:
    name, sign, value = text.partition("=")
    if not sign:
        raise ArgumentTypeError(f"expected NAME=VALUE, got {text!r}")
    if value in ("true", "false"):
        return name, value == "true"
    return name, int(value) if value.isdecimal() else value


def _speed(text: str) -> float:
    return _number(text, 0.05, 1000.0)


def _rate(text: str) -> float:
    return _number(text, 0.0, 1.0)


def _number(text: str, least: float, most: float) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not least <= number <= most:
        raise ArgumentTypeError(f"expected a number from {least:g} to {most:g}, got {text!r}")
    return number
