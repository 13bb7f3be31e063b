"""Arguments that several verbs share, and the settings that they stand for."""

from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence
from pathlib import Path

from companion.devices import reader_kinds
from companion.errors import UsageError
from companion.gamekit import discovery
from companion.gamekit.game import Seat
from companion.gamekit.game_start import usual_names
from companion.gamekit.search import skill_of
from companion.gamekit.table_options import table_options, typed_option, typed_value
from companion.home.paths import looks_path
from companion.home.preferences import LooksFile, ScreenSettings
from companion.language.screen_language import LANGUAGES
from companion.language.wording import plain
from companion.messages.lobby import USUAL_GAME, USUAL_LEVEL, GamePlan, HallTablePlan
from companion.messages.looks import THEMES
from companion.messages.phone_access import PORT
from companion.processes.evenings import checked_names
from companion.processes.phone_server import PhoneSettings
from companion.processes.simulated_hardware import prepare_firmware, prepare_reader
from companion.processes.simulation_settings import DRIVERS, FIRMWARE, SIGNALS, SimulationSettings
from companion.stations import KITS, Kit
from companion.verbs.parser import Parser

PI = "pi"

# --- The game -------------------------------------------------------------------------------------------------


def add_game(parser: ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", type=game_name, default=USUAL_GAME, help=f"{USUAL_GAME} (default)")


def game_name(said: str) -> str:
    """The name of a game in any case: Lascaux is lascaux. An unknown name is reported later, as it was typed."""
    known = {name.casefold(): name for name in discovery.names()}
    return known.get(said.casefold(), said)


def add_plan(parser: ArgumentParser) -> None:
    """Everything that people agree on, except the game."""
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
    parser.add_argument(
        "--real-pieces",
        action="store_true",
        help="simulated players have real pieces: the screen says what to move for them (without readers they always "
        "have)",
    )
    parser.add_argument(
        "--deal",
        action="store_true",
        help="Companion shuffles and deals, so you need no cards: each player sees their hand on their phone, or on "
        "the screen while the others look away (simulated pads always do)",
    )


def add_options(parser: ArgumentParser) -> None:
    """Options differ from game to game, so a game's name before --help lists them."""
    listed = f"a table option; `{parser.prog} GAME --help` lists those of a game"
    parser.add_argument("--option", action="append", default=[], type=_option, metavar="NAME=VALUE", help=listed)
    if isinstance(parser, Parser):
        parser.more_help = _options_help


def _options_help(said: Namespace) -> str:
    """The table options of a game: what each is about, its values, and what they mean."""
    if said.game not in discovery.names():
        return ""
    known = table_options(discovery.find(said.game).options).values()
    lines = [f"table options of {discovery.title(said.game)}:" if known else "This game has no table options."]
    for option in known:
        lines.append(f"  {option.about or option.name}:")
        for value in option.values:
            typed = f"--option {option.name}={typed_value(value)}"
            usual = " (usual)" if value == option.default else ""
            lines.append(f"    {typed:<34}  {option.words.get(value, '')}{usual}".rstrip())
    return "\n".join(lines)


def game_plan(said: Namespace) -> GamePlan:
    """The plan that was typed. Names become seats here, once. Raises UsageError."""
    game = said.game or USUAL_GAME
    names, said_levels = (None, {}) if said.simulated is None else _with_levels(said.simulated)
    players, simulated = _seated(game, said.players or (), names, said.kit)
    first = _seat_of(said.first, players) if said.first else 0
    levels = {_seat_of(name, players): level for name, level in said_levels.items()}
    if names is None:
        levels = dict.fromkeys(simulated, USUAL_LEVEL)
    return GamePlan(
        game,
        players,
        simulated,
        first,
        dict(said.option),
        said.kit,
        deals=said.deal,
        box=said.box,
        seed=said.seed,
        levels=levels,
        real=said.real_pieces,
    )


def hall_table_plan(said: Namespace) -> HallTablePlan:
    """What was typed about a table of a club night. Raises UsageError for what the hall decides."""
    theirs = {"the game": said.game, "--players": said.players, "--first": said.first, "--option": said.option}
    if extra := [word for word, value in {**theirs, "--box": said.box}.items() if value]:
        raise UsageError(f"--hall: the hall says what is played and by whom; leave out {', '.join(extra)}")
    names, levels = _with_levels(said.simulated or ())
    computer = {plain(name): levels.get(name, "") for name in names}
    own = GamePlan("", kit=said.kit, deals=said.deal, seed=said.seed, real=said.real_pieces)
    return HallTablePlan(own, None if said.simulated == [] else computer)


def _with_levels(simulated: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Ben:strong is Ben, who plays "strong"; Ben:easy:bold plays "easy:bold". Anything else belongs to the name
    (Ben:Hur); but one lower-case word was meant to be a level. Raises UsageError."""
    names, levels = list[str](), dict[str, str]()
    for said in simulated:
        name, _, level = said.partition(":")
        strength, _, temper = level.partition(":")
        if skill_of(strength) and temper.islower() and not skill_of(level):
            raise UsageError(f"{plain(said)}: there is no temper {plain(temper)}; there are bold and careful")
        if level.islower() and level.isalpha() and not skill_of(level):
            raise UsageError(f"{plain(said)}: there is no level {level}; there are easy, solid and strong")
        if skill_of(level):
            levels[name] = level
        names.append(name if skill_of(level) else said)
    return names, levels


def _seated(
    game: str, players: Sequence[str], simulated: Sequence[str] | None, kit: Kit | None
) -> tuple[tuple[str, ...], tuple[Seat, ...]]:
    """The players in their seats, and the seats that the computer plays. Without names, one person plays against
    simulated neighbours; on a table without readers there are only people."""
    names, computer = checked_names(players), checked_names(simulated or ())
    if not names:
        fewest = discovery.find(game).players[0]
        if simulated is None and kit != "none":
            computer = usual_names(fewest)[1:]
        persons = [name for name in usual_names(fewest + len(computer)) if name not in computer]
        names = (*persons[: max(1, fewest - len(computer))], *computer)
    return names, tuple(_seat_of(name, names) for name in computer)


def _seat_of(name: str, players: tuple[str, ...]) -> Seat:
    if plain(name) not in players:
        raise UsageError(f"{plain(name)} is not at the table; the players are {', '.join(players)}")
    return players.index(plain(name))


def is_planned(said: Namespace) -> bool:
    """Whether anything was said about the game. If not, the screen asks."""
    return any((said.game, said.players, said.simulated, said.first, said.option, said.box, said.kit, said.deal)) or (
        said.through != SIGNALS
    )


def add_table(parser: ArgumentParser) -> None:
    parser.add_argument("--table", type=Path, metavar="FILE", help="use another table.toml")


# --- Simulated players ----------------------------------------------------------------------------------------


def add_simulation(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--seed",
        type=int,
        help="the same seed plays the same game, simulated secrets included",
    )
    parser.add_argument("--speed", type=_speed, default=1.0, help="1 = as people play, 4 = four times as fast")
    parser.add_argument(
        "--mischief", type=_rate, default=0.0, metavar="RATE", help="0 to 1: how often simulated players make mistakes"
    )
    parser.add_argument("--through", default=SIGNALS, help=SUPPRESS)


def add_hardware(parser: ArgumentParser) -> None:
    """Simulated hardware below the real drivers, instead of signals."""
    drivers = (
        "simulate the chips and use the real drivers; `companion faults` taps pieces and injects faults: those of a Pi "
        "(default), or one reader of another kind and nothing else"
    )
    firmware = "pads with the satellite's real firmware, on an emulated microcontroller"
    kinds = [name for name in reader_kinds.names() if name != reader_kinds.USUAL]  # the Pi has that one
    touched = parser.add_mutually_exclusive_group()
    touched.add_argument("--drivers", nargs="?", dest="through", const=PI, choices=(PI, *kinds), help=drivers)
    touched.add_argument("--firmware", action="store_const", dest="through", const=FIRMWARE, help=firmware)
    parser.set_defaults(through=SIGNALS)


def settle_hardware(said: Namespace) -> None:
    """Find out whether this hardware can be simulated, and take the kit that goes with it. Raises UsageError."""
    said.through = DRIVERS if said.through == PI else said.through
    if said.through == SIGNALS:
        return
    if said.kit == "none":
        raise UsageError("simulated hardware needs a reader: leave out --kit none")
    if said.through not in (DRIVERS, FIRMWARE):
        if said.kit == "full":
            raise UsageError(f"--drivers {said.through} plays on one reader: leave out --kit, or say --kit one")
        said.kit = "one"
        prepare_reader(said.through)
    if said.through == FIRMWARE:
        prepare_firmware(said.kit or "full")


def simulation_settings(said: Namespace) -> SimulationSettings:
    return SimulationSettings(said.seed, said.speed, said.mischief, said.through)


# --- The screen -----------------------------------------------------------------------------------------------


def add_screen(parser: ArgumentParser) -> None:
    parser.add_argument("--language", choices=tuple(LANGUAGES), help="language of the screen (default: as last time)")
    parser.add_argument("--theme", choices=THEMES, help="colours of the screen (default: as last time)")
    parser.add_argument("--kiosk", action="store_true", help="a screen without keyboard: no key hints, no way out")


def screen_settings(said: Namespace) -> ScreenSettings:
    return ScreenSettings(said.language, said.theme, said.kiosk, LooksFile(looks_path()))


# --- Phones ---------------------------------------------------------------------------------------------------


def add_phones(parser: ArgumentParser) -> None:
    parser.add_argument("--phones", action="store_true", help="use phones as pads; the screen shows their codes")
    add_phone_address(parser)


def add_phone_place(parser: ArgumentParser, users: str = "phones", port: int = PORT) -> None:
    parser.add_argument(
        "--address", default="", metavar="IP", help=f"the address that {users} use (default: this computer)"
    )
    parser.add_argument("--port", type=port_number, default=port, help=f"{port} (default), or the next free port")


def add_phone_address(parser: ArgumentParser, users: str = "phones", port: int = PORT) -> None:
    add_phone_place(parser, users, port)
    parser.add_argument("--tls", action="store_true", help="use HTTPS with a self-signed certificate")


def phone_settings(said: Namespace) -> PhoneSettings:
    return PhoneSettings(said.address, said.port, said.tls)


# --- Values ---------------------------------------------------------------------------------------------------


def natural(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"expected a whole number, 1 or more, got {text!r}")
    return int(text)


def port_number(text: str) -> int:
    return int(_number(text, 1, 65535))


def _option(text: str) -> tuple[str, str | bool | int]:
    try:
        return typed_option(text)
    except UsageError as error:
        raise ArgumentTypeError(str(error)) from None


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
