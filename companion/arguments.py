"""The arguments of the command line, verb by verb."""

import argparse
from pathlib import Path

from companion import __version__


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    whole = argparse.ArgumentParser(
        prog="companion",
        description="A referee for real board-game tables.",
        epilog="`companion play` opens the start screen: Enter begins a game. `companion VERB --help` says more.",
    )
    whole.add_argument("--version", action="version", version=f"companion {__version__}")
    verbs = whole.add_subparsers(dest="verb", metavar="VERB", required=True)
    _game_verbs(verbs)
    _evening_verbs(verbs)
    _table_verbs(verbs)
    _tag_verbs(verbs)
    adjudicate = verbs.add_parser("adjudicate", help="judge a game that is written down as a transcript")
    adjudicate.add_argument("file", type=Path, help="the transcript (JSON Lines)")
    adjudicate.add_argument("--json", action="store_true", help="print the verdict as one JSON object")
    return whole


def _game_verbs(verbs: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    play = verbs.add_parser("play", help="play an evening: a referee and a screen")
    play.add_argument("game", nargs="?", help="which game (default: the screen asks)")
    _who(play)
    _simulation(play)
    _screen(play)
    table = verbs.add_parser("table", help="the referee alone, without a screen (a service on the Pi)")
    table.add_argument("game", nargs="?", default="lascaux", help="lascaux (default)")
    table.add_argument("--evening", help="go on with this evening instead of beginning one")
    table.add_argument("--parent", type=int, help=argparse.SUPPRESS)
    _who(table)
    _simulation(table)
    demo = verbs.add_parser("demo", help="watch a simulated table play")
    demo.add_argument("game", nargs="?", default="lascaux", help="lascaux (default)")
    demo.add_argument("--players", type=int, default=4, metavar="N", help="how many (default 4)")
    demo.add_argument(
        "--kit", choices=("one", "full"), default="full", help="one shared reader, or a pad for everybody"
    )
    _options(demo)
    touched = demo.add_mutually_exclusive_group()
    touched.add_argument(
        "--drivers",
        action="store_const",
        dest="through",
        const="drivers",
        default="signals",
        help="hands touch simulated chips, which the real drivers read; `companion faults` lets them fail",
    )
    touched.add_argument(
        "--firmware",
        action="store_const",
        dest="through",
        const="firmware",
        help="pads with the satellite's real firmware, on an emulated microcontroller",
    )
    demo.add_argument("--headless", action="store_true", help="tell the game in text, as fast as it goes")
    _simulation(demo)
    _screen(demo)


def _evening_verbs(verbs: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    screen = verbs.add_parser("screen", help="one more screen for a running referee")
    screen.add_argument("evening", nargs="?", help="which evening, if several are being played")
    _screen(screen)
    verbs.add_parser("faults", help="let the hardware of `companion demo --drivers` or `--firmware` fail")
    resume = verbs.add_parser("resume", help="go on with an evening that was interrupted")
    resume.add_argument("evening", nargs="?", help="which one (default: the newest that is not finished)")
    _simulation(resume)
    _screen(resume)
    verbs.add_parser("games", help="list the evenings so far")
    export = verbs.add_parser("export", help="write a game as a transcript; what is still secret is left out")
    export.add_argument("evening", nargs="?", help="which evening (default: the newest), or the path of a journal")
    export.add_argument("-o", "--output", type=Path, metavar="FILE", help="the transcript; its box is put beside it")
    export.add_argument("--game", type=_natural, metavar="N", help="which game of a match (default: the newest)")
    export.add_argument("--force", action="store_true", help="overwrite FILE")


def _table_verbs(verbs: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    config = verbs.add_parser("config", help="write a table.toml: what is wired to this table")
    config.add_argument("--kit", choices=("one", "full"), default="one", help="one reader, or pads too (default: one)")
    config.add_argument("--force", action="store_true", help="overwrite the one that is there")
    config.add_argument("--show", action="store_true", help="write nothing, print what is in force")
    doctor = verbs.add_parser("doctor", help="try every device of table.toml, and say what is wrong and what to do")
    doctor.add_argument("--json", action="store_true", help="print the findings as one JSON object")
    doctor.add_argument("--root", type=Path, default=Path("/"), help=argparse.SUPPRESS)
    for verb in (config, doctor):
        verb.add_argument("--table", type=Path, metavar="FILE", help="another table.toml than the one of this table")


def _tag_verbs(verbs: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    enroll = verbs.add_parser("enroll", help="go through your own box: what is printed on each piece, and its tag")
    enroll.add_argument("game", help="which game")
    enroll.add_argument(
        "--anew", action="store_true", help="begin from the start; what was enrolled so far is set aside"
    )
    _screen(enroll)
    tags = verbs.add_parser("tags", help="the tags of a box: list, check, share and write them")
    deeds = tags.add_subparsers(dest="deed", metavar="DEED", required=True)
    check = deeds.add_parser("check", help="find tags that are missing, doubled or weak")
    check.add_argument("--reads", type=_natural, default=20, metavar="N", help="how often each is read (default 20)")
    check.add_argument("--without-reader", action="store_true", help="look at the pack only, try no tag")
    export = deeds.add_parser("export", help="write the pack for another table")
    export.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: it is printed")
    export.add_argument("--force", action="store_true", help="overwrite FILE")
    merge = deeds.add_parser("merge", help="add the packs of other tables; if they disagree nothing is changed")
    listed = deeds.add_parser("list", help="every piece with its tag")
    write = deeds.add_parser("write", help="write on each sticker what it sits on, for tables that never saw it")
    for deed in (check, export, merge, listed, write):
        deed.add_argument("game", metavar="GAME", help="which game")
    merge.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a pack that `companion tags export` wrote")


def _who(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--players", nargs="+", metavar="NAME", help="everybody, clockwise")
    parser.add_argument("--simulated", nargs="*", metavar="NAME", help="who of them is played by the computer")
    parser.add_argument("--first", metavar="NAME", help="who starts (default: the first one named)")
    parser.add_argument(
        "--option", action="append", default=[], type=_option, metavar="NAME=VALUE", help="a table option"
    )
    parser.add_argument("--box", type=Path, metavar="FILE", help="the box file (default: your own, else the stand-in)")
    parser.add_argument(
        "--kit",
        choices=("none", "one", "full"),
        help="what is on the table; none: everything is told on the screen (default: simulated pads)",
    )


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--option", action="append", default=[], type=_option, metavar="NAME=VALUE", help="a table option"
    )


def _simulation(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, help="the same seed plays the same game")
    parser.add_argument("--speed", type=_speed, default=1.0, help="1 = as people play, 4 = four times as fast")
    parser.add_argument(
        "--mischief", type=_rate, default=0.0, metavar="RATE", help="0 to 1: how often simulated hands err"
    )
    parser.add_argument(
        "--through", choices=("signals", "drivers", "firmware"), default="signals", help=argparse.SUPPRESS
    )


def _screen(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--language", choices=("en", "de"), help="what the screen speaks (default: as last time)")
    parser.add_argument("--theme", choices=("dark", "light", "contrast"), help="its colours (default: as last time)")
    parser.add_argument("--kiosk", action="store_true", help="a screen without keyboard: no key hints, no way out")


def _option(text: str) -> tuple[str, str | bool | int]:
    name, sign, value = text.partition("=")
    if not sign:
        raise argparse.ArgumentTypeError(f"expected NAME=VALUE, got {text!r}")
    if value in ("true", "false"):
        return name, value == "true"
    return name, int(value) if value.isdecimal() else value


def _speed(text: str) -> float:
    return _number(text, 0.05, 1000.0)


def _rate(text: str) -> float:
    return _number(text, 0.0, 1.0)


def _natural(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a number from 1 on, got {text!r}")
    return int(text)


def _number(text: str, least: float, most: float) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not least <= number <= most:
        raise argparse.ArgumentTypeError(f"expected a number from {least:g} to {most:g}, got {text!r}")
    return number
