"""Who plays here: the file `people.toml`, and which name in a journal is which person.

A journal has names only. A name means the person who has it, or who had it before. Two people with the same first name
are two persons with different names ("Anna" and "Anna B."). If one of them was entered as "Anna" in an evening, that
seat is hers by the evening's id. A name that belongs to no person in the file is a person of that name.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.errors import UsageError
from companion.files import changing, load_text, store
from companion.language.screen_language import LANGUAGES
from companion.language.wording import plain
from companion.messages.looks import SPEECH, Preference
from companion.toml import read_toml, toml_text

SIZE_LIMIT = 1024 * 1024
"""Bytes: a person has about 200."""
_CARD = re.compile(r"(?:[0-9A-F]{2}){4,10}")
"""The UID of a tag."""


class Person(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A person who plays, with what they prefer."""

    id: str
    """Their first name here. It stays the same, so that other programs recognise them."""
    name: str
    names: tuple[str, ...] = ()
    """Other names that mean this person in journals."""
    seats: tuple[str, ...] = ()
    """Names that mean this person in one evening only: "2026-11-17-1 Anna"."""
    colour: str = ""
    sign: str = ""
    """One character, for tables and charts."""
    language: str = ""
    announcements: str = ""
    card: str = ""
    """The UID of their player card; "" if they have none."""

    @property
    def label(self) -> str:
        """The name with its sign, for tables and charts."""
        return f"{self.sign} {self.name}" if self.sign else self.name

    @property
    def preference(self) -> Preference:
        return Preference(self.language, self.announcements)


class Erasure(Struct, frozen=True, forbid_unknown_fields=True):
    """A person who is being forgotten: it goes on with the next `companion people` if it was interrupted."""

    id: str
    instead: str
    """The name that takes the place of theirs."""


class People(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The content of `people.toml`."""

    person: tuple[Person, ...] = ()
    erasure: tuple[Erasure, ...] = ()

    def who(self, evening: str, name: str) -> Person:
        """The person whom a name means in this evening."""
        seat = f"{evening} {name}"
        for found in (lambda each: seat in each.seats, lambda each: name in (each.name, *each.names)):
            for person in filter(found, self.person):
                return person
        return Person(name, name)

    def called(self, name: str) -> Person | None:
        """The person in the file who has this name, or had it."""
        return next((person for person in self.person if name in (person.name, *person.names)), None)

    def with_card(self, card: str) -> Person | None:
        """The person to whom this player card belongs."""
        return next((person for person in self.person if card and person.card == card), None)

    def having(self, person: Person) -> "People":
        """With this person, who replaces the one of the same id. Raises UsageError if two people would be one."""
        others = [each for each in self.person if each.id != person.id]
        for name in (person.name, *person.names):
            for other in others:
                if name in (other.name, *other.names):
                    raise UsageError(_taken(name, other))
        for other in others:
            if person.card and other.card == person.card:
                raise UsageError(f"this player card is {other.name}'s already")
        among = any(each.id == person.id for each in self.person)
        kept = tuple(person if each.id == person.id else each for each in self.person)
        return replace(self, person=kept if among else (*kept, person))

    def without(self, id: str) -> "People":  # noqa: A002  the field's name
        return replace(self, person=tuple(person for person in self.person if person.id != id))

    # --- What an owner can change -----------------------------------------------------------------------------

    def added(self, name: str, **settings: str) -> "People":
        """With a new person. Raises UsageError."""
        name = checked_name(name)
        if other := self.called(name):
            raise UsageError(_taken(name, other))
        return self.having(replace(Person(self._free_id(name), name), **checked_settings(settings)))

    def changed(self, name: str, **settings: str) -> "People":
        """With other settings for a person, who joins the file if they are not in it. Raises UsageError."""
        return self.having(replace(self._found(name), **checked_settings(settings)))

    def renamed(self, name: str, new: str) -> "People":
        """With another name for a person. The old one still means them in journals. Raises UsageError."""
        person, new = self._found(name), checked_name(new)
        names = tuple(each for each in dict.fromkeys((*person.names, person.name)) if each != new)
        return self.having(replace(person, name=new, names=names))

    def merged(self, name: str, into: str, evening: str = "") -> "People":
        """The name means the other person from now on: everywhere, or only in this evening. Raises UsageError."""
        target = self._found(into)
        if evening:
            return self.having(replace(target, seats=tuple(dict.fromkeys((*target.seats, f"{evening} {name}")))))
        source = self.called(name)
        if source is None:
            return self.having(replace(target, names=(*target.names, checked_name(name))))
        if source.id == target.id:
            raise UsageError(f"{plain(name)} is {target.name} already")
        names = tuple(dict.fromkeys((*target.names, source.name, *source.names)))
        merged = replace(target, names=names, seats=tuple(dict.fromkeys((*target.seats, *source.seats))))
        return self.without(source.id).having(merged)

    def _found(self, name: str) -> Person:
        name = checked_name(name)
        return self.called(name) or Person(self._free_id(name), name)

    def _free_id(self, name: str) -> str:
        taken = {person.id for person in self.person}
        names = (name, *(f"{name}-{number}" for number in range(2, len(taken) + 3)))
        return next(each for each in names if each not in taken)


def _taken(name: str, other: Person) -> str:
    if name == other.name:
        return f"{name} is in the list already; give the second one another name, such as “{name} B.”"
    return f"{name} is an earlier name of {other.name}; give this person another name"


def checked_name(name: str) -> str:
    """A name as it can be shown at a table. Raises UsageError."""
    cleaned = plain(name)
    if not cleaned:
        raise UsageError("a person needs a name that can be shown")
    return cleaned


def checked_settings(settings: dict[str, str]) -> dict[str, str]:
    """Settings of a person, as they are stored. Raises UsageError."""
    checked = {name: plain(value) for name, value in settings.items()}
    for name, known in (("language", LANGUAGES), ("announcements", SPEECH)):
        if checked.get(name) and checked[name] not in known:
            raise UsageError(f"{name}: {checked[name]} is not one of {', '.join(known)}")
    if len(checked.get("sign", "")) > 1:
        raise UsageError(f"a sign is one character, not {checked['sign']}")
    if "card" in settings:
        checked["card"] = re.sub(r"[\s:-]", "", settings["card"]).upper()
        if checked["card"] and not _CARD.fullmatch(checked["card"]):
            raise UsageError(f"a player card is the UID of a tag, such as 04A1B2C3, not {plain(settings['card'], 40)}")
    return checked


# --- The file -------------------------------------------------------------------------------------------------


def load_people(path: Path) -> People:
    """All people in the file; it may be missing. Raises UsageError if it cannot be read."""
    try:
        text = load_text(path, SIZE_LIMIT, "list of people", UsageError)
    except FileNotFoundError:
        return People()
    try:
        people = msgspec.convert(read_toml(text), People)
        for person in people.person:
            people.having(person)
            checked_settings({name: getattr(person, name) for name in SETTINGS})
    except ValueError as error:  # msgspec's and tomllib's errors are ValueErrors
        raise UsageError(f"{path}: {error}; nothing was changed") from None
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None
    return people


SETTINGS = ("colour", "sign", "language", "announcements", "card")
"""What may be set for a person."""


def change_people(path: Path, change: Callable[[People], People]) -> People:
    """Read the file, change what it says, and write it. Raises UsageError; then nothing has changed."""
    try:
        with changing(path.parent):
            people = change(load_people(path))
            data: Any = msgspec.to_builtins(people)
            store(path, toml_text(data))
    except OSError as error:
        raise UsageError(f"{path}: cannot write the list of people: {error.strerror}") from None
    return people


def likely_merges(people: People, tables: Sequence[tuple[str, Sequence[str]]]) -> list[tuple[str, str]]:
    """Names in evenings that may be another spelling of a person's name, and that name: "anna" and "Anna", "Anna" and
    "Anna M.", never two who sat at the same table. The one who was met more often is the second."""
    met = Counter(people.who(evening, name).name for evening, names in tables for name in names)
    found = []
    for name, other in combinations(sorted(met, key=lambda each: (met[each], each)), 2):
        if _alike(name, other) and people.called(name) is None:
            with suppress(UsageError):
                if not joint_evening(people.merged(name, other), tables):
                    found.append((name, other))
    merging = {name for name, _other in found}
    return [(name, other) for name, other in found if other not in merging]


def _alike(name: str, other: str) -> bool:
    one, two = _letters(name), _letters(other)
    return one == two or one.split()[:1] == [two] or two.split()[:1] == [one]


def _letters(name: str) -> str:
    """Without capitals and accents."""
    split = unicodedata.normalize("NFKD", name.casefold())
    return " ".join("".join(char for char in split if not unicodedata.combining(char)).split())


def joint_evening(people: People, tables: Iterable[tuple[str, Iterable[str]]]) -> str:
    """The first evening, of those with their names, in which one person would sit twice; "" if there is none."""
    for evening, names in tables:
        ids = [people.who(evening, name).id for name in names]
        if len(set(ids)) < len(ids):
            return evening
    return ""
