"""`companion people`: lists the people who play here, adds and merges them, and forgets one."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Collection, Sequence
from shlex import quote

from companion.errors import JournalError, UsageError
from companion.hall.outbox import Outbox
from companion.home.paths import earlier_plays_path, evenings_folder, outbox_folder, past_games_path, people_path
from companion.journal import evening_folder
from companion.language.screen_language import LANGUAGES
from companion.language.wording import counted, listed, plain
from companion.messages.looks import SPEECH
from companion.people import statistics
from companion.people.erasure import Erased, Renamed, erase, resume_erasures
from companion.people.past_games import PastGames, past_games
from companion.people.persons import (
    SETTINGS,
    People,
    Person,
    change_people,
    joint_evening,
    likely_merges,
    load_people,
)
from companion.verbs.parser import answer_to

LENGTH = 1000
"""How many letters of a line are printed."""


EXAMPLES = ("companion people --add Anna --colour green", "companion people --merge Annie Anna")


def arguments(parser: ArgumentParser) -> None:
    do = parser.add_mutually_exclusive_group()
    do.add_argument("--add", metavar="NAME", help="add a person")
    do.add_argument("--change", metavar="NAME", help="change the settings of a person")
    do.add_argument("--rename", nargs=2, metavar=("NAME", "NEW"), help="give a person another name")
    do.add_argument(
        "--merge",
        nargs=2,
        metavar=("NAME", "PERSON"),
        help="NAME is the same person as PERSON; with NAME@EVENING only in that evening",
    )
    do.add_argument("--forget", metavar="NAME", help="replace this person's name in every evening, for good")
    parser.add_argument("--yes", action="store_true", help="forget without asking")
    parser.add_argument("--colour", help="the person's colour")
    parser.add_argument("--sign", help="one character for tables and charts")
    parser.add_argument("--language", choices=LANGUAGES, help="the language that this person prefers")
    parser.add_argument("--announcements", choices=SPEECH, help="how much is announced for this person")
    parser.add_argument("--card", metavar="UID", help="the tag of the person's player card")


def run(said: Namespace) -> int:
    """Raises UsageError, JournalError."""
    settings = {name: getattr(said, name) for name in SETTINGS if getattr(said, name) is not None}
    if settings and said.add is None and said.change is None:
        raise UsageError(f"--{next(iter(settings))} belongs to --add or --change")
    for _wish, erased in resume_erasures(_in_outbox):
        _tell(erased)
    if said.forget is not None:
        return _forget(said.forget, is_sure=said.yes)
    if said.add is not None:
        change_people(people_path(), lambda people: people.added(said.add, **settings))
    elif said.change is not None:
        if not settings:
            raise UsageError("say what to change: " + ", ".join(f"--{name}" for name in SETTINGS))
        change_people(people_path(), lambda people: people.changed(said.change, **settings))
    elif said.rename is not None:
        _rename(*said.rename)
    elif said.merge is not None:
        _merge(*said.merge)
    _list(load_people(people_path()), _past())
    return 0


def _past() -> PastGames:
    past = past_games(evenings_folder(), past_games_path(), earlier_plays_path())
    for problem in past.problems:
        print(f"companion: {plain(problem, LENGTH)}", file=sys.stderr)
    return past


def _rename(name: str, new: str) -> None:
    """Raises UsageError if no person has this name, here or in an evening."""
    met = {each for _evening, names in _tables(_past()) for each in names}

    def change(people: People) -> People:
        if people.called(name) is None and name not in met:
            raise UsageError(f"there is no person {plain(name)} here; `companion people` lists all")
        return people.renamed(name, new)

    change_people(people_path(), change)


# --- Merging --------------------------------------------------------------------------------------------------


def _merge(source: str, target: str) -> None:
    """Raises UsageError if both names sat at the same table: they are two people."""
    name, evening = _named(source)
    tables = _tables(_past())
    if evening and not any(evening == each and name in names for each, names in tables):
        raise UsageError(f"no player was called {plain(name)} in {plain(evening)}")

    def change(people: People) -> People:
        merged = people.merged(name, target, evening)
        if joint := joint_evening(merged, tables):
            raise UsageError(f"{plain(name)} and {plain(target)} played together on {joint}: they are two people")
        return merged

    change_people(people_path(), change)


def _tables(past: PastGames) -> list[tuple[str, list[str]]]:
    """Evenings, and who sat there; simulated players are left out."""
    return [(game.evening, [seat.name for seat in game.seats if not seat.simulated]) for game in past.games]


def _named(source: str) -> tuple[str, str]:
    """Anna@2026-11-17-1 → Anna, 2026-11-17-1. An @ may also be a part of a name."""
    name, at, evening = source.rpartition("@")
    if not at:
        return source, ""
    try:
        return name, evening_folder.evening_id(evening_folder.find(evenings_folder(), evening))
    except JournalError:
        return source, ""


# --- Forgetting -----------------------------------------------------------------------------------------------


def _forget(name: str, *, is_sure: bool) -> int:
    if not is_sure:
        if not sys.stdin.isatty():
            raise UsageError(f"to forget {plain(name)} without a question, say --yes, too")
        print(f"{plain(name)} is replaced by another name in every evening. This cannot be undone.")
        if answer_to(f"Forget {plain(name)}? [y/N] ").strip().lower() not in ("y", "yes"):
            print("Nothing has changed.")
            return 0
    if outbox_folder().is_dir():
        Outbox(outbox_folder(), evenings_folder()).collect()  # an evening is found by its players
    return _tell(erase(name, _in_outbox))


def _in_outbox(renamed: Renamed, kept: Collection[str]) -> Sequence[str]:
    """Results for a club's hall."""
    if not outbox_folder().is_dir():
        return ()
    return Outbox(outbox_folder(), evenings_folder()).rename(renamed, kept)


def _tell(erased: Erased) -> int:
    where = f" in {counted(len(erased.changed), 'evening')}" if erased.changed else ""
    print(f"Replaced by {erased.instead}{where}.")
    for path in erased.saved:
        print(f"The name is still in {plain(str(path), LENGTH)}")
    for evening in erased.damaged:
        print(f"{plain(evening, LENGTH)} is damaged and was not changed. Delete it if it must go.")
    for evening in erased.waiting:
        print(f"{plain(evening, LENGTH)} is being played. Run `companion people` when it is over.")
    for evening in erased.unsent:
        words = f"The club's hall has not got the result of {plain(evening, LENGTH)} yet."
        print(f"{words} Run `companion people` when it has.")
    return 1 if erased.waiting or erased.damaged or erased.unsent else 0


# --- The list -------------------------------------------------------------------------------------------------


def _list(people: People, past: PastGames) -> None:
    tables = {table.person.id: table for table in statistics.person_tables(statistics.counted(past.games, people))}
    others = [table.person for id_, table in tables.items() if not any(each.id == id_ for each in people.person)]
    if not people.person and not others:
        words = "players of evenings appear by themselves, once a game without simulated players is over"
        print(f"No people yet. `companion people --add NAME` adds one; {words}.")
    for person in sorted((*people.person, *others), key=lambda each: each.name.casefold()):
        table = tables.get(person.id)
        played = f"{counted(table.games, 'game')}, {table.wins:g} won" if table else "no games"
        about = [played, *_about(person)]
        print(plain(f"{(person.sign or '·')} {person.name:16}  {'; '.join(about)}", LENGTH))
    for name, other in likely_merges(people, _tables(past)):
        words = f"Is {name} the same person as {other}? Then: companion people --merge {quote(name)} {quote(other)}"
        print(plain(words, LENGTH))


def _about(person: Person) -> list[str]:
    named = [f"also {listed(list(person.names))}"] if person.names else []
    seats = [f"as {seat.partition(' ')[2]} on {seat.partition(' ')[0]}" for seat in person.seats]
    chosen = [f"{name} {getattr(person, name)}" for name in SETTINGS if name != "sign" and getattr(person, name)]
    return [*named, *seats, *chosen]
