"""A game's face: what a screen needs to draw the game's table and to ask its questions."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, Literal, NamedTuple, TypeAlias

from msgspec import Struct, convert
from msgspec.structs import replace
from rich.cells import cell_len, set_cell_size
from textual.content import Content
from textual.screen import ModalScreen

from companion.gamekit.enrolment import Values
from companion.gamekit.game import FieldHelp, Move, NoOptions, Place, Seat, Thing, no_word
from companion.gamekit.game_texts import rules_paragraphs
from companion.gamekit.sign_table import DONE, QUESTION, RIGHT, SIMULATED, TURN, WRONG
from companion.gamekit.snapshot import OwnView, Player, Snapshot, Told
from companion.gamekit.table_options import table_options
from companion.language.facts import N_, Facts, Translate
from companion.language.screen_language import OWN_TEXTS, Texts, _, listed
from companion.language.wording import Naming, Said, facts_in, filled, plain, say
from companion.stations import pad

Action: TypeAlias = dict[str, Any]
Going: TypeAlias = Literal["clockwise", "anticlockwise", ""]
HUGE = (160, 45)
"""A screen on the wall: from this size on everything is larger."""
LAMPS = {
    "turn": (TURN, "bold $success"),
    "done": (DONE, "bold $text-primary"),
    "question": (QUESTION, "bold $warning"),
    "lost": (WRONG, "bold $error"),
}
"""What a lamp says, a `Pattern` of `companion/table/effects.py`: a shape and its style. A lamp that is off has none."""
LAMP = 2
"""Cells of a lamp's shape behind a name."""
LONGEST = 1000
"""Characters of a sentence: enough for a column of cards, each with its sum."""


def _any_action(action: Action) -> bool:
    return True


class Command(NamedTuple):
    """A kind of action that a button and some keys stand for."""

    do: str
    """The kind of action, as transcripts call it. Example: `"bid"`"""
    keys: tuple[str, ...]
    """What to press for it. Example: `("b",)`"""
    label: str
    """What the button says, translated."""
    variant: str = "primary"
    """Its colour. `"success"` (green) is the likely next step, `"error"` (red) says no or passes."""
    place: int | None = None
    """Which of the game's buttons it always has. Left out: the next one that is free."""
    takes: Callable[[Action], bool] = _any_action
    """Which actions of this kind: yes and no may have a button each. Left out: all."""

    def is_for(self, action: Action) -> bool:
        return bool(action["do"] == self.do and self.takes(action))

    def of(self, sight: "Sight") -> tuple[Action, ...]:
        """What the persons at this screen may do with it now."""
        return tuple(filter(self.is_for, sight.actions))


class Headline(NamedTuple):
    """Who has to act, and how: texts for the big letters, the longest first, and one sentence for normal ones."""

    big: tuple[str, ...]
    """For the big letters, the longest first. Example: `(_("bid", "big"),)`"""
    sentence: str
    """What to do, and who is asked."""
    yours: str = ""
    """The same without names: on the phone of a player who is asked, and where the sentence is too long for the screen.
    Left out: the sentence itself."""


class Call(NamedTuple):
    """A step of a reveal, large: texts for the big letters, the longest first, and a picture below them."""

    big: tuple[str, ...]
    """For the big letters, the longest first."""
    picture: Content = Content("")
    """Below them. Left out: nothing."""


class Choice(NamedTuple):
    """One of several things to pick: a card, or a button with a few words."""

    label: Content | str
    """What it says, translated."""
    value: Any
    """The action; or another `Menu`, or a function that makes one."""
    ink: str = ""
    """The colour of its letters. Example: `"#101010"`"""
    paper: str = ""
    """The colour of its ground: with one it is drawn as a card."""
    key: str = ""
    """What picks it, a key or a number to type. Left out: its place among the choices, which changes as a hand shrinks;
    so give a card with a number its own. Example: `"55"`"""
    figure: str = ""
    """The name of a figure on the card: a file of the game's folder `figures`, or one of the kit's. Without such a file
    there is only the label."""
    large: str = ""
    """What stands on the card in letters as large as fit: its number."""
    words: str = ""
    """What the card does or costs, in a sentence: below the cards while this one has the focus."""
    refused: str = ""
    """Why it cannot be chosen now: it is drawn dull, and says so."""
    draw: "Callable[[int, int], Sequence[Content]] | None" = None
    """The game's own picture of it, in at most so many cells and rows. Left out: a card with its label and its
    figure."""
    said: str = ""
    """The label in words, for players who cannot see it. Left out: the label says it all."""

    @property
    def is_card(self) -> bool:
        """Whether it is drawn as a card; without a picture it is a button."""
        return bool(self.paper or self.figure or self.large or self.draw)


class Grid(NamedTuple):
    """A part of the table with rows and columns, in words: arrow keys go from cell to cell."""

    title: str
    rows: Sequence[Sequence[str]]


class Face:
    """One game's face. Its methods are pure functions of what the screen sees.

    A game declares its types and its words as class attributes. `headline`, `panels` and `choices` are its own; all
    other methods have a default."""

    # --- The game's own types ---

    view_type: Any = Any
    """The type of the table that screens see: what the game's `view` returns."""
    box_type: Any = Any
    own_type: Any = Any
    """The type of what one player alone may see: what the game's `own_view` returns."""
    options: type = NoOptions
    """The table options; `option` gives them their words."""

    # --- Its words, in English ---

    texts: Texts = OWN_TEXTS
    """Where its texts are translated. `rules.txt` beside the folder of the catalogues tells the rules."""
    sentences: Mapping[str, str] = {}
    """By message id, as in `Game.sentences`."""
    rulings: Mapping[str, str] = {}
    """By number; marked with `N_`."""
    word: Callable[[Any, str, int | str, Translate], str | None] = staticmethod(no_word)
    """The game's own words for facts, as in `Game.word`; a face assigns `staticmethod(word)`."""
    piece_words: Mapping[str, str] = {}
    """Pieces by their kind ("card"), marked with `N_`. Facts: `{count}`, the owner's `{name}`, and the id under its
    kind: `{card}`. One piece may have words of its own ("card hunter"), and so may pieces whose id is secret ("hidden
    card")."""
    place_words: Mapping[str, str] = {}
    """Places by their kind, marked with `N_`. Fact: `{name}`, the player at this seat."""

    # --- What its message ids and points mean to a screen ---

    places = 2
    """How many buttons the game has in the bar, at most `button_bar.MOST_SLOTS`."""
    reveals: frozenset[str] = frozenset()
    """The message ids that reveal something: from the first of them on, an action's lines are shown step by step."""
    rounds: frozenset[str] = frozenset()
    """The message ids that end one round and begin the next: "why?" looks back as far as here."""
    leaps: frozenset[str] = frozenset()
    """The message ids where a replay stops when you page by rounds; empty: its `rounds`."""
    order: Sequence[str] = ()
    """The kinds of points in the order in which a result lists them; others follow as they come."""

    _read_box: tuple[Any, Any] | None = None
    """The last box as it came, and as `box_type`: it stays the same for a whole evening."""

    @property
    def spoken(self) -> frozenset[str]:
        """The message ids whose actions the screen reads aloud, if the players turned that on."""
        return self.reveals

    def commands(self, sight: "Sight | None" = None) -> Sequence[Command]:
        """All kinds of action that have a button; made afresh each time, so that the language may change."""
        return ()

    def read(self, snapshot: Snapshot) -> tuple[Any, Any]:
        """The table and the box of this game. Raises msgspec.ValidationError if they cannot be read."""
        if self._read_box is None or snapshot.box != self._read_box[0]:
            self._read_box = snapshot.box, convert(snapshot.box, self.box_type)
        return convert(snapshot.table, self.view_type), self._read_box[1]

    def read_own(self, hand: Any) -> Any:
        """What one player alone may see. Raises msgspec.ValidationError."""
        return convert(hand, self.own_type)

    def hand(self, sight: "Sight", choosing: bool) -> Content:
        """What only this player may see, drawn while they look: `sight.own`, and the pieces of `sight.dealt`, which
        Companion has dealt. Default: those pieces in words.

        `choosing`: it is above the choices, which may show the same."""
        return Content("" if choosing else listed([self.thing(piece, 1, sight) for piece in sight.dealt]))

    def headline(self, sight: "Sight") -> Headline:
        raise NotImplementedError

    def panels(self, sight: "Sight", width: int, tall: bool) -> Sequence[Content]:
        """The table from top to bottom, at most four pieces."""
        raise NotImplementedError

    def grown(self, sight: "Sight", width: int) -> Sequence[Content] | None:
        """The same on a screen of `HUGE` and more, where cards and numbers are larger; None: as it always is."""
        return None

    def in_words(self, sight: "Sight") -> Sequence[str]:
        """The table in short sentences, for players who cannot see it: what `Game.layout` does not say. A game without
        a layout needs none: its panels are read."""
        return ()

    def hand_in_words(self, sight: "Sight") -> Sequence[str]:
        """The same in short sentences, for a player who cannot see it. Default: the dealt pieces, or the lines of
        `hand`."""
        if sight.own is None:
            return [self.thing(piece, 1, sight) for piece in sight.dealt]
        return self.hand(sight, False).plain.splitlines()

    def grids(self, sight: "Sight") -> Sequence[Grid]:
        """The parts of the table where rows and columns matter."""
        return ()

    def legend(self, sight: "Sight") -> Content:
        """What the game's own signs mean, for the help."""
        return Content("")

    def going(self, sight: "Sight") -> Going:
        """The direction of the turns; "" where all players act at the same time."""
        return ""

    def choices(self, sight: "Sight", actions: Sequence[Action]) -> "Menu":
        """What to pick from when several actions of one kind are possible, or a secret one. There is always one."""
        raise NotImplementedError

    def phone_panels(self, sight: "Sight", width: int) -> Sequence[Content]:
        """The table on a phone held upright: at least 34 cells wide, and of any height. Default: as on a screen, with
        wide lines folded."""
        return [Content("\n").join(panel.wrap(width)) for panel in self.panels(sight, width, True)]

    def phone_menu(self, sight: "Sight", actions: Sequence[Action]) -> "Menu | None":
        """The choices on a phone, which has no `dialog`; None: the only action is done at once. Default: `choices`, if
        there is something to choose or to keep secret."""
        alone = len(actions) == 1 and actions[0]["do"] not in sight.snapshot.secret
        return None if alone else self.choices(sight, actions)

    def readable(self, sight: "Sight") -> Sequence[Told]:
        """The lines of the history without those that would spoil the game now."""
        return sight.snapshot.history

    def dialog(
        self, sight: "Sight", actions: Sequence[Action], post: Callable[[Action], None]
    ) -> "ModalScreen[Any] | None":
        """A dialog of the game's own for this kind of action, even if only one is offered; None: pick from `choices`.

        It is a `Dialog`. It gives its decision to `post` and then has the result True: the decision may be secret, so
        the dialog keeps nothing of it."""
        return None

    def option(self, name: str) -> str:
        """What a table option is about; "" if there are no words for it."""
        known = table_options(self.options).get(name)
        return self.texts.text(known.about) if known and known.about else ""

    def option_value(self, name: str, value: Any) -> str:
        """What this value of a table option means; "" if there are no words for it."""
        known = table_options(self.options).get(name)
        return self.texts.text(known.words[value]) if known and value in known.words else ""

    def part(self, for_: str) -> str:
        """What a part of a score is for, in one or two words."""
        return plain(for_)

    def thing(self, thing: Thing, count: int, sight: "Sight") -> str:
        """Some pieces that look alike, in words."""
        known = {"count", *(["name"] if thing.owner is not None else []), *([thing.kind] if thing.id else [])}
        keys = (f"{thing.kind} {thing.id}", thing.kind) if thing.id else (f"hidden {thing.kind}", thing.kind)
        fitting = (self.piece_words[key] for key in keys if key in self.piece_words)
        words = next((words for words in fitting if facts_in(words) <= known), N_("{count:piece|pieces}"))
        return self._filled(words, sight, {"count": count, "name": sight.name(thing.owner), thing.kind: thing.id})

    def place(self, place: Place, sight: "Sight") -> str:
        words = self.place_words.get(place.kind)
        return self._filled(words, sight, {"name": sight.name(place.seat)}) if words else plain(place.kind)

    def _filled(self, words: str, sight: "Sight", facts: Facts) -> str:
        return filled(self.texts.text(words), facts, self.texts.language(), self.naming(sight.box))

    def naming(self, box: Any) -> Naming:
        """The game's own words for the facts in its sentences."""
        return partial(self.word, box)

    def rules(self) -> str:
        """The rules in the game's own words, for the help."""
        return "\n\n".join(self.texts.text(paragraph) for paragraph in rules_paragraphs(self.texts.folder.parent))

    def ruling(self, number: str) -> str:
        """The ruling of this number in words; "" if there is none."""
        return self.texts.text(self.rulings[number]) if number in self.rulings else ""

    def piece(self, facts: Mapping[str, Any], values: Values, box: Mapping[str, Any]) -> Content:
        """The piece that an enrolment asks about, drawn from the facts and values of its step and from the box so far.
        At most five rows."""
        return Content("")

    def asked(self, kind: str, sight: "Sight") -> str:
        """The question to all players when this kind of action needs their agreement."""
        return _("All players have to agree. Who agrees?")

    def grounds(self, sight: "Sight", said: Said) -> Sequence[str]:
        """Further sentences that explain this line or these points, beside the lines of the round."""
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
        """For each step of a reveal, what to show large; None: the last one stays. `lines` are all of the action's from
        its first reveal on, so also those of other message ids."""
        return ()

    def points_by_kind(self) -> str:
        """The heading of the bars in a result."""
        return _("Points, by what gave them")

    def total(self) -> str:
        """The label of the last row of a result."""
        return _("total")

    def every_point(self) -> str:
        """The heading of the list of all points."""
        return _("Every point, and why")

    def hue(self, for_: str) -> str:
        """The colour of these points in a bar; their word is beside it."""
        return "#bbbbbb"

    def watched(self) -> str:
        """What the snapshot's `course` counts, in a word or two."""
        return _("in the course of the game")


class Menu(Struct, frozen=True):
    """A question with at least one choice. A choice's value is an action, another menu, or a function that makes one:
    where there are many menus, each is made only when it is opened."""

    title: str
    """The question, translated."""
    choices: Sequence[Choice]
    """At least one."""
    columns: int = 3
    """How many choices are side by side. The contract says which labels are too wide for that."""
    picture: Content = Content("")
    """Shown above the choices, centred line by line; they may cover the table. Left out: nothing."""

    def __post_init__(self) -> None:
        """Raises ValueError for a question without an answer, and TypeError for what no screen could draw."""
        if not self.choices:
            raise ValueError(f"the menu {self.title!r} has no choices: offer an action only where there is one")
        if not isinstance(self.picture, Content):
            found = type(self.picture).__name__
            raise TypeError(f"the picture of the menu {self.title!r} has to be a `Content`, not a {found}")


def menu_room(columns: int) -> int:
    """The cells for a label and its key on a button of a menu: a dialog has 58, one between two buttons, and two for
    the edges of each."""
    return (58 - columns + 1) // columns - 2


def next_menu(value: Any) -> Menu | None:
    """The menu that this choice leads to; None if it decides."""
    made = value() if callable(value) else value
    return made if isinstance(made, Menu) else None


for _record in (Command, Headline, Call, Choice, Menu):
    _record.__doc__ = FieldHelp.of(_record)


class Sight:
    """One snapshot, ready for drawing: names are safe to show, table and box have their types.

    Nothing in it depends on the language.
    """

    def __init__(self, snapshot: Snapshot, face: Face, watching: bool = False, own_view: OwnView | None = None) -> None:
        """`own_view`: what one player alone may see, while that player looks."""
        self.snapshot, self.face, self._watching, self._own_view = snapshot, face, watching, own_view
        self.dealt = own_view.dealt if own_view else ()
        self.own: Any = face.read_own(own_view.hand) if own_view and own_view.hand is not None else None
        self.has_hand = self.own is not None or bool(self.dealt)
        """Something here is for one player's eyes only: `Face.hand` draws it."""
        self.table, self.box = face.read(snapshot)
        self.over = snapshot.awaiting is None
        self._names = tuple(plain(player.name) for player in snapshot.players)
        self._simulated = frozenset(seat for seat, player in enumerate(snapshot.players) if player.simulated)
        self.persons: frozenset[Seat] = frozenset(
            seat for seat, player in enumerate(snapshot.players) if not player.simulated and not watching
        )
        people = len(self._names) - len(self._simulated)
        self.is_demo = not people and not watching and snapshot.replay is None
        """Only simulated hands play, and this screen may drive them."""
        self.rings = bool(self._simulated) and people > (0 if watching else 1)
        """`mark` draws rings, which need a word beside them."""

    def looked_at_by(self, own_view: OwnView) -> "Sight":
        """The same table, seen by this one player."""
        return Sight(self.snapshot, self.face, self._watching, own_view)

    def with_players(self, players: tuple[Player, ...]) -> "Sight":
        """The same table with these players."""
        return Sight(replace(self.snapshot, players=players), self.face, self._watching, self._own_view)

    def with_history(self, history: tuple[Told, ...]) -> "Sight":
        """The same table with these lines."""
        return Sight(replace(self.snapshot, history=history), self.face, self._watching, self._own_view)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name or _("nobody") for name in self._names)

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """What the persons at this screen may do now. Simulated players act on their own."""
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
        """Tells persons and simulated players apart, behind a name: "you" for the only person, at their own screen,
        else a ring for each simulated player; "" where all are of one kind."""
        people = len(self._names) - len(self._simulated)
        if not self._simulated or not people:
            return ""
        if people == 1 and not self._watching:
            return "" if seat in self._simulated else " " + _("(you)")
        return f" {SIMULATED}" if seat in self._simulated else ""

    def marked(self, seat: Seat, width: int) -> Content:
        """The name with its mark, and with the state of the seat's lamp if there are lamps, exactly this wide."""
        light, mark, name = self.lamp(seat), self.mark(seat), self.name(seat)
        room = width - light.cell_length
        words = set_cell_size(name, min(cell_len(name), room - cell_len(mark))) + mark
        return (Content(words) + light).truncate(width, pad=True)

    @cached_property
    def lamps(self) -> tuple[tuple[str, str] | None, ...]:
        """What the lamp of each seat says, a shape and its style; None where the table has no lamps."""
        lights = self.snapshot.lights
        if not lights:
            return (None,) * len(self._names)
        shown = [lights.get(pad(seat), "") for seat in range(len(self._names))]
        return tuple(LAMPS.get(pattern, (" ", "")) for pattern in shown)

    def lamp(self, seat: Seat) -> Content:
        """The lamp of this seat, in two cells; nothing where the table has no lamps."""
        sign = self.lamps[seat]
        return Content.assemble(" ", sign) if sign else Content("")

    @cached_property
    def history(self) -> tuple[Told, ...]:
        """The lines of the history that may be read now."""
        return tuple(self.face.readable(self))

    def say(self, said: Said) -> str:
        """The sentence for what was said. It names what was undone or corrected."""
        about = said.about if isinstance(said, Told) else ()
        if not about:
            return self._sentence(said)
        if len(about) > 1:
            return _(
                "{sentence}, the first of them: {what}", sentence=self._sentence(said), what=self._sentence(about[0])
            )
        if isinstance(said, Told) and said.kind == "corrected":
            return _("Corrected, instead of: {what}", what=self._sentence(about[0]))
        if said.what != "undone":
            return self._sentence(said)
        return _("Undone: {what}", what=self._sentence(about[0]))

    def _sentence(self, said: Said) -> str:
        return plain(say(said, self.face.sentences, self.names, self.face.texts.language(), self._naming), LONGEST)

    @cached_property
    def _naming(self) -> Naming:
        return self.face.naming(self.box)

    def put_back(self, move: Move) -> str:
        """What hands have to move, in words."""
        return _(
            "{things}: {source} {to} {target}",
            things=self.face.thing(move.thing, move.count, self),
            source=self.face.place(move.source, self),
            to=RIGHT,
            target=self.face.place(move.target, self),
        )
