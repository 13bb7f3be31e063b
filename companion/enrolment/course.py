"""The course of an enrolment, and what a screen needs for it: a store for its steps, and the readers."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from companion.errors import CompanionError
from companion.gamekit.enrolment import Complaint, Data, EnrolmentPlan, EnrolmentStep, Value, Values, agreed
from companion.gamekit.game import Game, Thing
from companion.gamekit.parts import enrolment_plan, tags_only
from companion.messages.phone_access import EnrolmentPhones
from companion.table.effects import Cue
from companion.table.pieces import Pack, is_uid
from companion.table.signals import Signal
from companion.toml import read_toml, toml_text

# --- The course of enrolling one box: the steps so far, the next one, and the result.

HEAD = "# What is printed on your own pieces, as `companion enroll` asked for it. It may be changed by hand.\n\n"
"""Above every box that was enrolled."""


class EnrolmentError(CompanionError):
    """A saved enrolment cannot be continued."""


class Completed(Struct, frozen=True, tag="done"):
    """A piece or a sheet was entered, and perhaps tapped."""

    step: str
    values: dict[str, Value] = {}
    uid: str | None = None


class Skipped(Struct, frozen=True, tag="skipped"):
    """Left for later."""

    step: str


CourseEntry: TypeAlias = Completed | Skipped


class Course(Struct, frozen=True):
    """What is stored. Everything else follows from it."""

    game: str
    base: str
    """The text of the earlier box: suggested answers come from it, even if that file changes."""
    log: tuple[CourseEntry, ...] = ()
    printed: bool = False
    """The pieces came out of `companion print`: the box is what is on them, so only their tags are asked for."""

    @property
    def plan(self) -> EnrolmentPlan:
        return tags_only(self.game, self.base) if self.printed else enrolment_plan(self.game)


class Standing(Struct, frozen=True):
    """The current position."""

    steps: tuple[EnrolmentStep, ...]
    waiting: tuple[EnrolmentStep, ...]
    """The steps that remain, the next one first; skipped ones come last."""
    answers: dict[str, Values]
    tags: dict[str, str]
    """UID → the key of its step."""

    @property
    def next(self) -> EnrolmentStep | None:
        return self.waiting[0] if self.waiting else None

    def step(self, key: str) -> EnrolmentStep:
        return next(step for step in self.steps if step.key == key)

    @property
    def told(self) -> bool:
        """Everything printed is known."""
        return all(step.key in self.answers for step in self.steps if step.fields)


class Enrolled(Struct, frozen=True):
    """The result: a box, and the tags on its pieces."""

    box: str
    pieces: tuple[Thing, ...]
    pack: Pack


@lru_cache(4)
def _data(text: str) -> Data:
    """Read once, and never changed."""
    return read_toml(text)


def standing(course: Course) -> Standing:
    done = {entry.step: entry for entry in course.log if isinstance(entry, Completed)}
    answers: dict[str, Values] = {key: entry.values for key, entry in done.items()}
    later = list(dict.fromkeys(entry.step for entry in reversed(course.log) if isinstance(entry, Skipped)))[::-1]
    steps = tuple(course.plan.steps(_data(course.base), answers))
    by_key = {step.key: step for step in steps}
    order = [*(key for key in by_key if key not in later), *(key for key in later if key in by_key)]
    tags = {entry.uid: key for key, entry in done.items() if entry.uid is not None}
    return Standing(steps, tuple(by_key[key] for key in order if key not in done), answers, tags)


# --- What an owner does ---------------------------------------------------------------------------------------


def finish(
    course: Course, values: Values, uid: str | None = None, taken: Mapping[str, str] | None = None
) -> Course | Complaint:
    """Complete the next step with these values, and with this tag or none. `taken`: UIDs in other games' packs."""
    now = standing(course)
    step = now.next
    if step is None:
        return Complaint("all done")
    if uid is not None and not step.tagged:
        return Complaint("no tag here")
    if uid is not None and not is_uid(uid):
        return Complaint("no number")
    if uid in now.tags:
        return Complaint("tag on another piece", {"uid": str(uid), "step": now.tags[str(uid)]})
    if taken and uid in taken:
        return Complaint("tag of another game", {"uid": str(uid), "game": taken[str(uid)]})
    complaint = objection(course.plan, step, values)
    if complaint:
        return complaint
    told = {field.key: values[field.key] for field in step.fields}
    return replace(course, log=(*course.log, Completed(step.key, told, uid)))


def objection(plan: EnrolmentPlan, step: EnrolmentStep, values: Values) -> Complaint | None:
    """What is wrong with these values."""
    for field in step.fields:
        if field.key not in values or not field.allows(values[field.key]):
            return Complaint("cannot be", {"field": field.key})
    return plan.objections.get(step.key, agreed)(values)


def skip(course: Course) -> Course | Complaint:
    """Leave the next step for later."""
    now = standing(course)
    if now.next is None:
        return Complaint("all done")
    if not now.next.tagged:
        return Complaint("sheets come first")
    if len(now.waiting) == 1:
        return Complaint("the last one")
    return replace(course, log=(*course.log, Skipped(now.next.key)))


def undo(course: Course) -> Course | Complaint:
    """Undo the newest entry, even if it was a skip."""
    return replace(course, log=course.log[:-1]) if course.log else Complaint("nothing to take back")


# --- The result -----------------------------------------------------------------------------------------------


def box_so_far(course: Course) -> Data:
    """The box as it would be if all remaining answers were the suggested ones."""
    return course.plan.box(_data(course.base), standing(course).answers)


def outcome(course: Course, game: Game[Any, Any], before: Enrolled | None = None) -> Enrolled | None:
    """None while something printed is unknown. Pieces without a tag are in the box, and in no pack. A box that is the
    same as `before` is not read again."""
    now = standing(course)
    if not now.told:
        return None
    text = course.base if course.printed else HEAD + toml_text(course.plan.box(_data(course.base), now.answers))
    if before is not None and before.box == text:
        pieces = before.pieces
    else:
        pieces = tuple(game.pieces(game.parse_box(text, f"the enrolled box of {course.game}")))
    piece_of = dict(zip((step.key for step in now.steps if step.tagged), pieces, strict=True))
    return Enrolled(text, pieces, Pack({uid: piece_of[key] for uid, key in now.tags.items()}))


def checked(course: Course) -> Course:
    """Replay the course: files can be changed by hand. Raises EnrolmentError."""
    again = replace(course, log=())
    for number, entry in enumerate(course.log, 1):
        now = standing(again).next
        if now is None or now.key != entry.step:
            raise EnrolmentError(f"entry {number}: expected {now.key if now else 'no more'!r}, found {entry.step!r}")
        step = skip(again) if isinstance(entry, Skipped) else finish(again, entry.values, entry.uid)
        if isinstance(step, Complaint):
            raise EnrolmentError(f"entry {number} ({entry.step!r}): {step.what}")
        again = step
    return again


Listen: TypeAlias = Callable[[Callable[[Signal], object]], Awaitable[None]]
"""Runs a device until cancelled, and gives what it says to a function."""


class EnrolmentStore(Protocol):
    @property
    def course(self) -> Course: ...

    @property
    def taken(self) -> Mapping[str, str]:
        """Tags of other games: UID → game."""
        ...

    @property
    def readers(self) -> Sequence[Listen]:
        """None: tags are made up with a key."""
        ...

    @property
    def phones(self) -> EnrolmentPhones | None:
        """None: phones cannot read here."""
        ...

    @property
    def links(self) -> str:
        """The table's address in links on stickers; "": they get none."""
        ...

    def keep(self, course: Course) -> str:
        """Store this course; it is on the disk when this returns. Returns why not, else ""."""
        ...

    def token(self, uid: str) -> str:
        """What is to be written on this tag."""
        ...

    def keep_token(self, uid: str) -> str:
        """It is written on the tag. Returns why that cannot be stored, else ""."""
        ...

    def cue(self, cue: Cue) -> None:
        """Show it by lamp and buzzer, if there are any."""
        ...
