"""The command line: verbs and their arguments. What a verb does is imported only when it is said."""

import sys

from companion import __version__
from companion.errors import CompanionError, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from companion.verbs.evenings import Plan
    from companion.verbs.play import Looks
    from companion.verbs.table import Pace

MESSAGE_LENGTH = 1000
"""A message may quote what it was given, and that may be endless."""


def main(arguments: list[str] | None = None) -> int:
    """Carry out a command line. Errors that a person can mend are one line on stderr, and exit status 2."""
    words = sys.argv[1:] if arguments is None else arguments
    if words == ["--version"]:  # a script's question: answered in half the time that the parser takes to import
        print(f"companion {__version__}")
        return 0
    from companion.arguments import parser

    said = parser().parse_args(words)
    try:
        status = _VERBS[said.verb](said)
        sys.stdout.flush()
        return status
    except CompanionError as error:
        from companion.wording import plain

        print(f"companion: {plain(str(error), MESSAGE_LENGTH)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # `companion games | head`
        sys.stderr.close()
        return 141
    except OSError as error:
        if error.filename is not None:  # not about the output: a bug of ours
            raise
        print(f"companion: the output cannot be written: {error.strerror}", file=sys.stderr)
        sys.stdout = None  # else Python tries once more while it ends
        return 74


# --- Verbs ----------------------------------------------------------------------------------------------------


def _play(said: "Namespace") -> int:
    from companion.verbs import play

    plan = _plan(said)
    if not any((said.game, *(getattr(plan, name) for name in plan.__struct_fields__ if name != "game"))):
        return play.start(_pace(said), _looks(said))
    return play.play(plan, _pace(said), _looks(said))


def _demo(said: "Namespace") -> int:
    from companion.verbs import demo, hardware, play

    if said.headless and said.through != "signals":
        raise UsageError("--headless tells a game without hardware: leave out --drivers and --firmware")
    if said.headless and said.language not in (None, "en"):
        raise UsageError("--headless tells the game in English: leave out --language")
    plan = demo.plan(said.game, said.players, said.kit, dict(said.option))
    if said.through == "firmware":
        hardware.prepare_firmware(said.kit)
    return demo.tell(plan, _pace(said)) if said.headless else play.watch(plan, _pace(said), _looks(said))


def _table(said: "Namespace") -> int:
    from companion.verbs import evenings, table

    path = evenings.find_evening(said.evening) if said.evening else evenings.begin_evening(_plan(said))
    return table.run_table(path, _pace(said), parent=said.parent)


def _screen(said: "Namespace") -> int:
    from companion.verbs import play

    return play.join(said.evening, _looks(said))


def _faults(_: "Namespace") -> int:
    from companion.verbs import evenings, hardware

    return hardware.converse(evenings.runtime_folder())


def _resume(said: "Namespace") -> int:
    from companion.verbs import play

    return play.resume(said.evening, _pace(said), _looks(said))


def _games(_: "Namespace") -> int:
    from companion.verbs import archive

    return archive.list_evenings()


def _export(said: "Namespace") -> int:
    from companion.verbs import archive

    return archive.export(said.evening, said.output, said.game, force=said.force)


def _config(said: "Namespace") -> int:
    from companion.verbs import config

    return config.show(said.table) if said.show else config.write(said.table, said.kit, force=said.force)


def _doctor(said: "Namespace") -> int:
    from companion.verbs import doctor

    return doctor.examine(said.table, said.root, json=said.json)


def _enroll(said: "Namespace") -> int:
    from companion.verbs import enroll

    return enroll.enroll(said.game, _looks(said), anew=said.anew)


def _tags(said: "Namespace") -> int:
    from companion.verbs import tags

    match said.deed:
        case "check":
            return tags.check(said.game, said.reads, without_reader=said.without_reader)
        case "export":
            return tags.export(said.game, said.output, force=said.force)
        case "merge":
            return tags.merge(said.game, said.files)
        case "write":
            return tags.write(said.game)
    return tags.list_tags(said.game)


def _adjudicate(said: "Namespace") -> int:
    from companion import adjudicate

    return adjudicate.run(said.file, json=said.json)


_VERBS = {
    "play": _play,
    "demo": _demo,
    "table": _table,
    "screen": _screen,
    "faults": _faults,
    "resume": _resume,
    "games": _games,
    "export": _export,
    "config": _config,
    "doctor": _doctor,
    "enroll": _enroll,
    "tags": _tags,
    "adjudicate": _adjudicate,
}


def _plan(said: "Namespace") -> "Plan":
    from companion.verbs.evenings import Plan

    simulated = None if said.simulated is None else tuple(said.simulated)
    options = dict(said.option)
    return Plan(said.game or "lascaux", tuple(said.players or ()), simulated, said.first, options, said.box, said.kit)


def _pace(said: "Namespace") -> "Pace":
    from companion.verbs.table import Pace

    return Pace(said.seed, said.speed, said.mischief, said.through)


def _looks(said: "Namespace") -> "Looks":
    from companion.boxes import home
    from companion.verbs.play import Looks

    return Looks(said.language, said.theme, said.kiosk, home() / "screen.toml")
