"""Tables that differ in one hidden action and in nothing else, and all that the other players may ask of them.

The messages are made from their declarations: a kind that is new in `companion/messages` is asked as well. What comes
back has to be the same at every table, byte by byte, until that player's secret is revealed.
"""

import types
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from math import log2
from random import Random
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec
from msgspec import Struct
from msgspec.structs import fields, replace

from companion.errors import JournalError
from companion.gamekit import discovery
from companion.gamekit.contract.played_games import options_of
from companion.gamekit.game import Refusal, Seat, Step, named
from companion.gamekit.game_start import Header
from companion.gamekit.parts import enrolment_plan
from companion.messages.intentions import (
    INQUIRIES,
    INTENTIONS,
    Act,
    Agree,
    BotAct,
    Correct,
    Go,
    Intention,
    LookBack,
    Peek,
    Reconsider,
    RunErrand,
    Undo,
)
from companion.processes.referee_process import seat_pads_of, simulated_table
from companion.processes.simulation_settings import SimulationSettings
from companion.referee import event_loop
from companion.referee.referee import Referee
from companion.session.entry import Entry, EntryKind, action_body, correction_body, undo_body
from companion.session.evening import Evening, game_body
from companion.session.game_replay import Replay
from companion.session.played_game import CountedAction
from companion.session.stand_ins import same_kind, seat_of
from companion.session.transcript_export import transcript, untold
from companion.table.interpreter import SeatPads
from companion.toml import read_toml
from tests.referee.table import NAMES

KINDS: tuple[type[Struct], ...] = (*INTENTIONS, *INQUIRIES)
"""All that a screen or a phone may say."""
MOST = 200
"""Offers that are compared: some games offer thousands."""
BEGUN = 1_794_600_000.0
OFTEN = {"carnuta": 0.1, "lascaux": 0.15, "sioux": 0.3}
"""How many of the moments in which something is hidden are looked at; in other games all: there they are rare."""
BOTS = 0.3
"""How often a bot sits at a table with real pieces, so that persons run its errands."""
CLASHES = 0.3
"""How often a correction that clashes with what is hidden comes first, if one is found."""
ERRANDS = 0.7
"""How often a bot's errand comes first, where there is one."""
FURTHEST, TRIED = 30, 40
"""Among so many actions we look for one, and so many of the possible corrections are tried."""
ASKED_AGAIN = frozenset({"named twice"})
"""D21 What is said when all secrets lie there, and some of them have to be chosen again."""


class Paper:
    """A journal in memory: where entries go is no matter here."""

    id, doubted = "paper", 0

    def __init__(self, number: int) -> None:
        self._number = number

    def append(self, kind: EntryKind, body: bytes, how: str, cause: str, at: float) -> Entry:
        self._number += 1
        return Entry(self._number, at, kind, how, cause, body)


class Situation(Struct, frozen=True):
    """An evening in which one player hides something."""

    game: str
    entries: tuple[Entry, ...]
    owner: Seat
    number: int
    """Of the action that hides it."""
    entry: int
    """Where it is said: in the same entry, or in the one that corrects it."""
    secrets: tuple[Any, ...]
    """What it may be, as far as every player knows; what it is comes first."""
    dealt: bool
    """A simulated stack has dealt to the persons."""

    def entries_with(self, secret: Any) -> list[Entry]:
        """The evening, had they hidden this."""
        said = action_body(secret) if self.entry == self.number else correction_body(self.number, secret)
        return [replace(entry, body=said) if entry.number == self.entry else entry for entry in self.entries]


# --- Evenings -------------------------------------------------------------------------------------------------


class Evenings:
    """Evenings of one game, played by chance, with what is corrected and taken back on the way."""

    def __init__(self, game: str, chance: Random) -> None:
        self.game, self.chance = discovery.find(game), chance
        self.players = chance.choice(self.game.players)
        self.dealt = chance.random() < 0.3
        options = {name: chance.choice(values) for name, values in options_of(self.game.options).items()}
        header = Header(game, NAMES[: self.players], chance.randrange(self.players), options)
        real = not self.dealt and chance.random() < BOTS
        simulated = (self.players - 1,) if self.dealt or real else ()
        kit = chance.choice(("none", "full"))
        body = game_body(header, self.game.standin(), simulated, kit, 7, real=real)
        self.entries = [Entry(1, BEGUN, "game", "", "", body)]
        self.evening = Evening(self.entries)

    def take(self, kind: EntryKind, body: bytes) -> None:
        how = self.chance.choice(("screen", "phone", "tag"))
        entry = Entry(len(self.entries) + 1, BEGUN + 2.0 * len(self.entries), kind, how, "", body)
        self.evening.take(entry)
        self.entries.append(entry)

    def situations(self, longest: int) -> Iterator[Situation]:
        """Up to so many entries, with slips. Now and then we look at something that a player hides."""
        while len(self.entries) < longest and self.game.legal(self.evening.state):
            self._slip()
            self.take("action", action_body(self.chance.choice(self.game.legal(self.evening.state))))
            hidden = self._hidden()
            if hidden and self.chance.random() < OFTEN.get(self.game.name, 1.0):
                situation = self._situation(self.chance.choice(hidden))
                if len(situation.secrets) > 1:
                    yield situation

    def _slip(self) -> None:
        """A correction, or something is taken back."""
        played = self.evening.played_game.played
        if self.chance.random() > 0.15 or not played:
            return
        if self.chance.random() < 0.4 and self.evening.to_undo:
            self.take("undo", undo_body(self.evening.to_undo))
            return
        wrong = self.chance.choice(played[-3:])
        other = self.chance.choice(self.game.legal(wrong.before))
        if not isinstance(self.evening.played_game.corrected(wrong.number, other), Refusal):
            self.take("corrected", correction_body(wrong.number, other))

    def _hidden(self) -> list[CountedAction]:
        """What no step has revealed."""
        hidden: dict[Seat | None, list[CountedAction]] = {}
        for played in self.evening.played_game.played:
            hidden.setdefault(self.game.conceals(played.action), []).append(played)
            for seat in played.step.revealed:
                hidden.pop(seat, None)
        return [played for seat, several in hidden.items() if seat is not None for played in several]

    def _situation(self, played: CountedAction) -> Situation:
        game, seen = self.game, self.game.view(played.step.state)
        owner = game.conceals(played.action)
        assert owner is not None
        secrets = [played.action]
        for other in game.offered(played.before):
            if type(other) is type(played.action) and other != played.action and game.conceals(other) == owner:
                twin = game.at_table(played.before, other)
                if isinstance(twin, Step) and (twin.rulings, game.view(twin.state)) == (played.step.rulings, seen):
                    secrets.append(other)
        where = played.number, played.entry
        return Situation(game.name, tuple(self.entries), owner, *where, tuple(secrets), self.dealt)


# --- Tables ---------------------------------------------------------------------------------------------------


class World:
    """One table, at which this is hidden."""

    def __init__(self, situation: Situation, secret: Any, seat_pads: SeatPads | None = None) -> None:
        """Raises JournalError if what was played does not go with this secret."""
        self.situation, self.secret = situation, secret
        self.evening = Evening(situation.entries_with(secret))
        self.seat_pads = seat_pads or seat_pads_of(self.evening)
        self.dealer = (
            simulated_table(self.evening, self.seat_pads, SimulationSettings(), deals=True) if situation.dealt else None
        )
        journal: Any = Paper(self.evening.number)
        self.referee = Referee(journal, self.evening, self.seat_pads, dealer=self.dealer)
        self.now = BEGUN + 10_000.0

    @property
    def players(self) -> int:
        return len(self.evening.header.players)

    def said(self, message: Any) -> Any:
        """The answer, as it travels."""
        self.now += 1.0
        if isinstance(message, Intention):
            return self.referee.heed(message, self.now)
        return _short(self.referee.inform(message))

    @property
    def is_revealed(self) -> bool:
        """Whether the secret has come to light, or its player was asked for another."""
        played = self.evening.played_game.played
        since = [each for each in played if each.number >= self.situation.number]
        told = {line.what for line in self.referee.snapshot().history}
        dropped = any(each.dropped for each in since)
        return dropped or bool(told & ASKED_AGAIN) or any(self.situation.owner in each.step.revealed for each in since)

    def looks(self, *, closely: bool) -> tuple[Any, ...]:
        """What every player sees now; `closely`: all that there is to see, also for each of the others alone."""
        snapshot = replace(self.referee.snapshot(), number=0)
        if not closely:
            return (_short(snapshot),)
        others = [seat for seat in range(self.players) if seat != self.situation.owner]
        own = [_short(self.referee.inform(Peek("peek", seat))) for seat in others]
        lights = event_loop.lights(snapshot, {f"pad{seat}": seat for seat in range(self.players)})
        replay = Replay(self.evening, "replay")
        steps = [replay.snapshot() for _ in map(replay.heed, _steps(replay.steps))]
        written = transcript(self.evening), untold(self.evening), self.referee.box_text
        counted = self.evening.played_game.result, self.evening.played_game.thinking.seconds  # what statistics take
        return _short(snapshot), own, lights, [_short(step) for step in steps], written, counted


def _steps(steps: int) -> list[Go]:
    return [Go("go", step) for step in sorted({0, steps // 2, steps - 1, steps})]


def _short(shown: Any) -> Any:
    return replace(shown, offered=tuple(shown.offered[:MOST])) if hasattr(shown, "offered") else shown


# --- Messages -------------------------------------------------------------------------------------------------


class Asker:
    """Says anything that the declarations of the messages allow. They are not the one who hides something."""

    def __init__(self, world: World, secrets: Sequence[Any], chance: Random) -> None:
        self._world, self._chance = world, chance
        self._names = sorted({name for secret in secrets for name in named(secret)})
        self._ids = count(1)

    def message(self, kind: type[Struct]) -> Any:
        """One message of this kind. Raises AssertionError if it is unknown how to fill one of its fields."""
        values: dict[str, Any] = {}
        for field in fields(kind):
            maker = self._by_name(field.name, field.type) or self._by_type(field.type)
            assert maker is not None, (
                f"{kind.__name__}.{field.name} is a {field.type}, which Asker cannot make up: say in "
                f"tests/session/worlds.py which values it may have, so that no answer to {kind.__name__} tells a secret"
            )
            values[field.name] = maker()
        if {"entry", "action"} <= values.keys():
            values["action"] = self._instead_of(values["entry"])
        return kind(**values)

    def correction(self, entry: int, action: Any) -> Correct:
        return Correct(f"asked-{next(self._ids)}", entry, self._number, dict(msgspec.to_builtins(action)))

    def agreement(self, seat: Seat) -> Agree:
        return Agree(f"agreed-{next(self._ids)}", seat)

    def errand(self) -> BotAct | None:
        """What a bot with real pieces could want to be done for it. None: there is no bot, or it has nothing to do."""
        evening = self._world.evening
        if not evening.header.real:
            return None
        offered = evening.game.offered(evening.state)
        theirs = [action for action in offered if getattr(action, "seat", None) in evening.header.simulated]
        if not theirs:
            return None
        return BotAct(f"bot-{next(self._ids)}", dict(msgspec.to_builtins(self._chance.choice(theirs))))

    def _by_name(self, name: str, kind: Any) -> Callable[[], Any] | None:
        """Where the type of a field says too little to be understood by the referee."""
        pick = self._chance.choice
        match name, kind:
            case "id", _:
                return lambda: f"asked-{next(self._ids)}"
            case "seat", _:
                return lambda: self._seat(optional=type(None) in get_args(kind))
            case ("newest", _) | ("entry", types.UnionType()):
                return lambda: pick((*[self._number] * 9, self._number - 1))
            case ("entry", _) | ("to", types.UnionType()):
                return self._entry
            case "action", _:
                return self._action
            case "uid", _:
                return lambda: pick((*self._tags, "04A1B2C3D4E5F6", ""))
            case "text", _:
                return lambda: pick(("", "", "unicorn"))
            case "step", _ if kind is str:
                return lambda: self._piece()[0]
            case "values", _:
                return lambda: self._piece()[1]
        return None

    def _by_type(self, kind: Any) -> Callable[[], Any] | None:
        if get_origin(kind) is Annotated:
            return self._by_type(get_args(kind)[0])
        if get_origin(kind) in (Union, types.UnionType):
            makers = [self._by_type(each) for each in get_args(kind)]
            return self._chance.choice(makers) if all(makers) else None
        if get_origin(kind) is tuple and (inner := self._by_type(get_args(kind)[0])):
            return lambda: tuple(inner() for _ in range(self._chance.choice((0, 1, self._world.players))))
        return {
            type(None): lambda: None,
            int: lambda: self._chance.choice((-1, 0, 1, 2, self._number, self._entry())),
            float: lambda: self._chance.choice((0.0, 0.5, 2.0)),
            bool: lambda: self._chance.random() < 0.5,
            str: lambda: self._chance.choice((*self._names, "", "unicorn")),
            dict[str, Any]: lambda: {
                self._chance.choice(("seat", "card", "unicorn")): self._chance.choice(self._names)
            },
        }.get(kind)

    @property
    def _number(self) -> int:
        return self._world.evening.number

    @property
    def _tags(self) -> list[str]:
        """Most often of pieces that may be hidden."""
        tags = self._world.seat_pads.pack.tags
        hidden = [uid for uid, piece in tags.items() if piece.id in self._names]
        return hidden * (1 + len(tags) // (1 + len(hidden))) + list(tags)

    def _seat(self, *, optional: bool) -> Seat | None:
        others: list[Seat | None] = [seat for seat in range(self._world.players) if seat != self._world.situation.owner]
        return self._chance.choice([*others, None] if optional else others)

    def _entry(self) -> int:
        """Mostly what was done lately, also by the player who hides something; or what is hidden."""
        played, owner = self._world.evening.played_game.played, self._world.situation.owner
        numbers = [each.number for each in played[-8:]] or [0]
        theirs = [each.number for each in played[-16:] if getattr(each.action, "seat", None) == owner]
        return self._chance.choice((*numbers, *theirs, *theirs, self._world.situation.number, 0))

    def _instead_of(self, entry: int) -> dict[str, Any]:
        """What could have been done instead, most often one that names what may be hidden."""
        played_game = self._world.evening.played_game
        index = played_game.find(entry)
        if index is None:
            return self._action()
        played = played_game.played[index]
        other = [each for each in played_game.game.offered(played.before) if type(each) is type(played.action)]
        naming = [each for each in other if named(each) & {*self._names}]
        chosen = self._chance.choice(naming if naming and self._chance.random() < 0.7 else other or [played.action])
        return dict(msgspec.to_builtins(chosen))

    def _action(self) -> dict[str, Any]:
        """Something that is offered, perhaps with a name in it that may be hidden."""
        game, state = self._world.evening.game, self._world.evening.state
        offered = game.offered(state)
        if not offered:
            return {"do": "unicorn"}
        action = dict(msgspec.to_builtins(self._chance.choice(offered)))
        words = [key for key, value in action.items() if isinstance(value, str) and key != "do"]
        if words and self._names and self._chance.random() < 0.5:
            action[self._chance.choice(words)] = self._chance.choice(self._names)
        if "seat" in action and self._chance.random() < 0.1:
            action["seat"] = self._chance.randrange(self._world.players)
        return action

    def _piece(self) -> tuple[str, dict[str, Any]]:
        """A piece that the box may not list."""
        evening = self._world.evening
        steps = enrolment_plan(evening.game.name).steps(read_toml(evening.header.box), {})
        asking = [step for step in steps if step.fields]
        if not asking:
            return "unicorn", {}
        step, other = self._chance.choice(asking), self._chance.choice(asking)
        return step.key, dict(other.values if other.values.keys() == step.values.keys() else step.values)


# --- Asking ---------------------------------------------------------------------------------------------------


class Asked(Struct, frozen=True):
    """One message that was said at all tables alike."""

    message: Any
    """None: no message was sent, and all have only looked."""
    bits: float
    """How much the answers tell about the secret; 0 if they are all the same."""
    found: bool
    """They tell what the secret is."""
    outcome: str = ""
    """What became of it: the kind of the answer; "" if it only asked."""
    stands_in: bool = False
    """At one of the tables something stands in for the secret now."""
    clashes: bool = False
    """It was a correction that names what one of the tables hides."""


def bits(answers: Sequence[bytes]) -> float:
    """The information in an answer, if each secret is as likely as any other."""
    sizes = [answers.count(answer) for answer in {*answers}]
    return log2(len(answers)) - sum(size * log2(size) for size in sizes) / len(answers)


def worlds_of(situation: Situation, chance: Random, most: int) -> list[World]:
    """Tables with up to so many different secrets. What is really hidden comes first."""
    first, *others = situation.secrets
    worlds = [World(situation, first)]
    for secret in chance.sample(others, min(most - 1, len(others))):
        try:
            worlds.append(World(situation, secret, worlds[0].seat_pads))
        except JournalError:  # what its player did later does not go with it
            continue
    return worlds


def clashing(worlds: Sequence[World], asker: Asker, chance: Random) -> Correct | None:
    """A correction that fits as far as the others know, but not with the secret of one of the tables, where a stand-in
    takes its place; else one that says that another piece was really the hidden one; None if we find neither."""
    owner, instead = worlds[0].situation.owner, None
    names = {name for world in worlds for name in named(world.secret)}
    game, played = worlds[0].evening.game, list(worlds[0].evening.played_game.played[-FURTHEST:])
    found = [
        (wrong.number, other)
        for wrong in played
        for other in same_kind(game.offered(wrong.before), wrong.action)
        if other != wrong.action and named(other) & names
    ]
    for number, other in chance.sample(found, min(TRIED, len(found))):
        if isinstance(worlds[0].evening.played_game.judged(number, other), Refusal):
            continue
        tails = (world.evening.played_game.corrected(number, other) for world in worlds)
        if any(each.stand_in is not None for tail in tails if not isinstance(tail, Refusal) for each in tail):
            return asker.correction(number, other)
        if instead is None and seat_of(other) != owner:
            instead = asker.correction(number, other)
    return instead


def asked(situation: Situation, kind: type[Struct], chance: Random, most: int = 8) -> Iterator[Asked]:
    """A message of this kind, and a few others after it, said at all tables; now and then after a correction that
    clashes with the secret of one of them. It ends when the secret is revealed at all of them, or as soon as an answer
    tells something: also by revealing it at some of them and not at others."""
    worlds = worlds_of(situation, chance, most)
    asker = Asker(worlds[0], [world.secret for world in worlds], chance)
    only_seen = _asked(None, [world.looks(closely=True) for world in worlds])
    if only_seen.bits:
        yield only_seen
        return
    newest = worlds[0].evening.number
    clash = clashing(worlds, asker, chance) if kind is Correct or chance.random() < CLASHES else None
    coming: list[Any] = [*([clash] if clash else []), kind, *_after(kind, chance)]
    if (errand := asker.errand()) and chance.random() < ERRANDS:
        coming.insert(0, errand)
    while coming:
        following = coming.pop(0)
        message = asker.message(following) if isinstance(following, type) else following
        answers = [world.said(message) for world in worlds]
        revealed = [world.is_revealed for world in worlds]
        if all(revealed):
            return
        closely = any(world.evening.number != newest for world in worlds)
        newest = worlds[0].evening.number
        seen = [world.looks(closely=closely) for world in worlds]
        answer = _asked(message, [*zip(answers, seen, revealed, strict=True)])
        stands_in = any(each.stand_in is not None for world in worlds for each in world.evening.played_game.played)
        outcome = getattr(answers[0], "kind", "")
        yield replace(answer, outcome=outcome, stands_in=stands_in, clashes=message is clash)
        if answer.bits:
            return
        snapshot = worlds[0].referee.snapshot()
        if snapshot.question and chance.random() < 0.8:
            coming = [*(asker.agreement(seat) for seat in snapshot.question.missing), *coming]
        if snapshot.errand and type(message) is not RunErrand and chance.random() < 0.5:
            coming.insert(0, RunErrand)


def _asked(message: Any, answers: Sequence[Any]) -> Asked:
    told = [msgspec.json.encode(answer) for answer in answers]
    return Asked(message, bits(told), told.count(told[0]) == 1 < len(told))


def _after(kind: type[Struct], chance: Random) -> Sequence[type[Struct]]:
    """What a player might ask then. What only asks has changed nothing."""
    if kind in INQUIRIES:
        return ()
    more = (Act, Act, Correct, Undo, Reconsider)
    return (LookBack, *chance.choices((*KINDS, *more), k=2), chance.choice((Undo, *more)))
