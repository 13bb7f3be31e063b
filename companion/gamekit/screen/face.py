"""How a game looks: what a screen needs to know to draw its table and to ask its questions."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace
from rich.cells import cell_len, set_cell_size
from textual.content import Content
from textual.screen import ModalScreen

from companion.gamekit.enrolment import Values
from companion.gamekit.game import Move, Place, Seat, Thing
from companion.gamekit.screen.device_marks import lamp
from companion.gamekit.snapshot import OwnView, Player, Snapshot, Told
from companion.language.screen_language import HOUSE, Texts, _, language, plural
from companion.language.wording import Naming, Said, as_it_is, plain, say

Action: TypeAlias = dict[str, Any]
Going: TypeAlias = Literal["clockwise", "anticlockwise", ""]
HUGE = (160, 45)
"""From this size on everything is larger: a screen on the wall."""
LONGEST = 1000
"""Characters of a sentence: a column of cards, each with its sum, is long, but has an end."""


def _any_action(action: Action) -> bool:
    return True


class Command(NamedTuple):
    """A kind of action that a button and some keys stand for."""

    do: str
    keys: tuple[str, ...]
    label: str
    variant: str = "primary"
    place: int | None = None
    """Which of the game's buttons it always has; None: the next one that is free."""
    takes: Callable[[Action], bool] = _any_action
    """Which actions of this kind: yes and no may have a button each."""

    def of(self, sight: "Sight") -> tuple[Action, ...]:
        """What the persons at this screen may do with it now."""
        return tuple(action for action in sight.doing(self.do) if self.takes(action))


class Headline(NamedTuple):
    """Who must do what: texts for the big letters, the longest first, and one sentence for normal ones."""

    big: tuple[str, ...]
    sentence: str


class Call(NamedTuple):
    """A step of a reveal, large: texts for the big letters, the longest first, and a picture below them."""

    big: tuple[str, ...]
    picture: Content = Content("")


class Choice(NamedTuple):
    """One of several things to pick, drawn as a button."""

    label: Content | str
    value: Any
    ink: str = ""
    paper: str = ""
    key: str = ""
    """What picks it, a key or a number to type; "" for its place among the choices."""
    figure: str = ""
    """The name of a figure that phones show above the label: a file of the game's folder `figures`, or one of the
    kit's. Without such a file there is only the label."""


class Face:
    """One game's looks. Everything here is a pure function of what is seen."""

    texts: Texts = HOUSE
    """Where its texts are translated."""
    sentences: Mapping[str, str] = {}
    places = 2
    """How many buttons the game has in the bar, at most `widgets.bar.MOST_SLOTS`."""
    folder: Path | None = None
    """Where the game's `rulings.<language>.txt` lies: a line for each ruling, its number first."""
    reveals: frozenset[str] = frozenset()
    """The message ids of what comes to light: from the first of them on, an action's lines are shown step by step."""
    rounds: frozenset[str] = frozenset()
    """The message ids that end one round and begin the next: "why?" looks back as far as here."""
    leaps: frozenset[str] = frozenset()
    """The message ids to which somebody leaps who goes through a game round by round; empty: its `rounds`."""
    order: Sequence[str] = ()
    """The kinds of points in the order in which a result lists them; others follow as they come."""

    @property
    def spoken(self) -> frozenset[str]:
        """The message ids whose actions are said aloud when they come to light, where people want that."""
        return self.reveals

    def commands(self, sight: "Sight | None" = None) -> Sequence[Command]:
        """All kinds of action that have a button; made afresh each time, so that the language may change."""
        return ()

    def read(self, snapshot: Snapshot) -> tuple[Any, Any]:
        """The table and the box of this game. Raises msgspec.ValidationError if they cannot be read."""
        raise NotImplementedError

    def read_own(self, hand: Any) -> Any:
        """What one player alone may see, in the game's own form. Raises msgspec.ValidationError."""
        return hand

    def hand(self, sight: "Sight", choosing: bool) -> Content:
        """What `sight.own` shows: drawn only while its player looks, and nobody else.

        `choosing`: it stands above the choices, which may show the same."""
        return Content("")

    def headline(self, sight: "Sight") -> Headline:
        raise NotImplementedError

    def panels(self, sight: "Sight", width: int, tall: bool) -> Sequence[Content]:
        """The table from top to bottom, at most `widgets.body.PANELS` pieces."""
        raise NotImplementedError

    def grown(self, sight: "Sight", width: int) -> Sequence[Content] | None:
        """The same on a screen of `HUGE` and more, where cards and numbers are larger; None: as it always is."""
        return None

    def legend(self, sight: "Sight") -> Content:
        """What the game's own signs mean, for the help."""
        return Content("")

    def going(self, sight: "Sight") -> Going:
        """Which way round the turns go; "" where everybody acts at the same time."""
        return ""

    def choices(self, sight: "Sight", actions: Sequence[Action]) -> "Menu":
        """What to pick from when several actions of one kind are possible, or a secret one. There is always one."""
        raise NotImplementedError

    def phone_panels(self, sight: "Sight", width: int) -> Sequence[Content]:
        """The table on a phone held upright: 34 cells wide, perhaps a few more, and as high as it likes. What is wider
        has to be moved sideways with a finger. Left out: as on a screen."""
        return self.panels(sight, width, True)

    def phone_menu(self, sight: "Sight", actions: Sequence[Action]) -> "Menu | None":
        """What to pick from on a phone, which has no `dialog`; None: the only action is done at once. Left out:
        `choices`, if there is anything to choose or to keep secret."""
        alone = len(actions) == 1 and actions[0]["do"] not in sight.snapshot.secret
        return None if alone else self.choices(sight, actions)

    def readable(self, sight: "Sight") -> Sequence[Told]:
        """The lines of the history as they may be read now, without what would spoil the game."""
        return sight.snapshot.history

    def dialog(
        self, sight: "Sight", actions: Sequence[Action], post: Callable[[Action], None]
    ) -> "ModalScreen[Any] | None":
        """A dialog of the game's own for this kind of action, even if only one is offered; None: pick from `choices`.

        It is a `Dialog`. What was decided goes to `post`, and then its result is True: it may be secret, and nothing of
        it may stay."""
        return None

    def option(self, name: str) -> str:
        """What a table option is about; "" if there are no words for it."""
        return ""

    def option_value(self, name: str, value: Any) -> str:
        """What this value of a table option means; "" if there are no words for it."""
        return ""

    def part(self, for_: str) -> str:
        """What a part of a score is for, in one or two words."""
        return plain(for_)

    def thing(self, thing: Thing, count: int, sight: "Sight") -> str:
        return plural("{count} piece", "{count} pieces", count)

    def place(self, place: Place, sight: "Sight") -> str:
        return plain(place.kind)

    def naming(self, box: Any) -> Naming:
        """The game's own words for the facts in its sentences."""
        return as_it_is

    def rules(self) -> str:
        """The rules in the game's own words, for the help."""
        return ""

    def ruling(self, number: str) -> str:
        """The ruling of this number in words; "" if there is none."""
        return rulings(self.folder, language().code).get(number, "") if self.folder else ""

    def piece(self, facts: Mapping[str, Any], values: Values, box: Mapping[str, Any]) -> Content:
        """The piece that an enrolment asks about, as it is said to look: facts and values of its step, and the box so
        far, as TOML has it. At most five rows."""
        return Content("")

    def asked(self, kind: str, sight: "Sight") -> str:
        """What everybody is asked when this kind of action needs all of them."""
        return _("All players have to agree. Who agrees?")

    def grounds(self, sight: "Sight", said: Said) -> Sequence[str]:
        """What else made this line or these points, beside the lines of the round: sentences."""
        return ()

    def step(self, sight: "Sight", told: Told, before: Sequence[Told]) -> Content:
        """One step of a reveal, after those `before` it."""
        return Content(sight.say(told))

    def steps(self, sight: "Sight", lines: Sequence[Told]) -> Sequence[Content]:
        """All steps of a reveal: one for each line, unless the game puts some together."""
        return [
            Content.assemble(self.step(sight, told, lines[:number]), (f"  {plain(told.rule or '')}", "$quiet"))
            for number, told in enumerate(lines)
        ]

    def calls(self, sight: "Sight", lines: Sequence[Told], width: int, tall: bool) -> Sequence[Call | None]:
        """For each step of a reveal, what is to be read from across the table; None: what was read before stays."""
        return ()

    def points_by_kind(self) -> str:
        """What stands above the bars of a result."""
        return _("Points, by what gave them")

    def total(self) -> str:
        """What the last row of a result is called."""
        return _("total")

    def every_point(self) -> str:
        """What stands above the reasons for all points."""
        return _("Every point, and why")

    def hue(self, for_: str) -> str:
        """The colour of these points in a bar; the word stands beside it."""
        return "#bbbbbb"

    def watched(self) -> str:
        """What the snapshot's `course` counts, in a word or two."""
        return _("in the course of the game")


_read: dict[tuple[Path, str], dict[str, str]] = {}


def rulings(folder: Path, code: str) -> dict[str, str]:
    """Every ruling of a game by its number, in a language."""
    if (folder, code) not in _read:
        lines = (folder / f"rulings.{code}.txt").read_text(encoding="utf-8").splitlines()
        parts = (line.partition(" ") for line in lines if line.strip())
        _read[folder, code] = {number: text.strip() for number, _space, text in parts}
    return _read[folder, code]


class Menu(Struct, frozen=True):
    """A question with its choices, at least one. A choice's value is an action, or one more menu, or what makes one:
    where there are many, the next one is made when it is asked for."""

    title: str
    choices: Sequence[Choice]
    columns: int = 3
    picture: Content = Content("")
    """What stands above the choices."""

    def __post_init__(self) -> None:
        """Raises ValueError for a question without an answer: whoever asks it has to know that there is one."""
        if not self.choices:
            raise ValueError(f"the menu {self.title!r} has no choices: offer an action only where there is one")


def next_menu(value: Any) -> Menu | None:
    """The menu that this choice leads to; None if it decides."""
    made = value() if callable(value) else value
    return made if isinstance(made, Menu) else None


class Sight:
    """One snapshot, made ready for drawing: names are harmless, table and box have their types.

    Nothing in it depends on the language.
    """

    def __init__(self, snapshot: Snapshot, face: Face, watching: bool = False, own_view: OwnView | None = None) -> None:
        """`own_view`: one player looks, and nobody else."""
        self.snapshot, self.face, self._watching, self._own_view = snapshot, face, watching, own_view
        self.dealt = own_view.dealt if own_view else ()
        self.own: Any = face.read_own(own_view.hand) if own_view and own_view.hand is not None else None
        self.table, self.box = face.read(snapshot)
        self._names = tuple(plain(player.name) for player in snapshot.players)
        self._simulated = frozenset(seat for seat, player in enumerate(snapshot.players) if player.simulated)
        self.persons: frozenset[Seat] = frozenset(
            seat for seat, player in enumerate(snapshot.players) if not player.simulated and not watching
        )

    def looked_at_by(self, own_view: OwnView) -> "Sight":
        """The same table, as this one player may see it."""
        return Sight(self.snapshot, self.face, self._watching, own_view)

    def with_players(self, players: tuple[Player, ...]) -> "Sight":
        """The same table, if these people sat at it."""
        return Sight(replace(self.snapshot, players=players), self.face, self._watching, self._own_view)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name or _("nobody") for name in self._names)

    @property
    def over(self) -> bool:
        return self.snapshot.awaiting is None

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """What the persons at this screen may do now. Simulated players act by themselves."""
        if self._own_view is not None:
            return self._own_view.offered
        awaiting = self.snapshot.awaiting
        shared = awaiting is not None and not self.persons.isdisjoint(awaiting.seats)
        return tuple(
            action
            for action in self.snapshot.offered
            if action["do"] not in self.snapshot.by_table
            if (action["seat"] in self.persons if "seat" in action else shared)
        )

    def doing(self, do: str) -> tuple[Action, ...]:
        return tuple(action for action in self.actions if action["do"] == do)

    def name(self, seat: Seat | None) -> str:
        return (self._names[seat] if seat is not None and 0 <= seat < len(self._names) else "") or _("nobody")

    def mark(self, seat: Seat) -> str:
        """What tells persons and simulated players apart, behind a name: "you" for the only person, else a ring for who
        is simulated. Where all are the same there is nothing to tell apart."""
        people = len(self._names) - len(self._simulated)
        if not self._simulated or not people:
            return ""
        if people == 1:
            return "" if seat in self._simulated else " " + _("(you)")
        return " ○" if seat in self._simulated else ""

    def marked(self, seat: Seat, width: int) -> Content:
        """The name in a column of this width, with its mark, and with what the seat's lamp says if there are lamps."""
        light, mark, name = lamp(self.snapshot, seat), self.mark(seat), self.name(seat)
        room = width - light.cell_length
        words = set_cell_size(name, min(cell_len(name), room - cell_len(mark))) + mark
        return (Content(words) + light).truncate(width, pad=True)

    @property
    def is_demo(self) -> bool:
        """Nobody here or elsewhere plays: simulated hands do, and may be driven."""
        everybody = len(self._simulated) == len(self._names)
        return everybody and not self._watching and self.snapshot.replay is None

    @property
    def rings(self) -> bool:
        """Whether `mark` draws rings, which need a word beside them."""
        return bool(self._simulated) and len(self._names) - len(self._simulated) > 1

    @cached_property
    def history(self) -> tuple[Told, ...]:
        """What happened, as far as it may be read now."""
        return tuple(self.face.readable(self))

    def say(self, said: Said) -> str:
        """The sentence for what was said. What was taken back or corrected is named."""
        about = said.about if isinstance(said, Told) else ()
        if not about:
            return self._sentence(said)
        if len(about) > 1:
            return _("{sentence}, the first of them: {what}").format(
                sentence=self._sentence(said), what=self._sentence(about[0])
            )
        if isinstance(said, Told) and said.kind == "corrected":
            return _("Corrected, instead of: {what}").format(what=self._sentence(about[0]))
        if said.what != "undone":
            return self._sentence(said)
        return _("Undone: {what}").format(what=self._sentence(about[0]))

    def _sentence(self, said: Said) -> str:
        naming = self.face.naming(self.box)
        return plain(say(said, self.face.sentences, self.names, self.face.texts.language(), naming), LONGEST)

    def put_back(self, move: Move) -> str:
        """What hands have to move, in words."""
        return _("{things}: {source} ► {target}").format(
            things=self.face.thing(move.thing, move.count, self),
            source=self.face.place(move.source, self),
            target=self.face.place(move.target, self),
        )
