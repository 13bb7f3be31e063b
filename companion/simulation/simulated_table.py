"""A table that plays by itself: simulated players with simulated hands on simulated readers.

It looks at redacted snapshots, as players look at a table, and answers with signals, or with an intention where a game
asks something that only a screen can tell. It does no waiting itself.
"""

from collections.abc import Callable, Collection, Sequence
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.gamekit import discovery
from companion.gamekit.face_down import SimulatedDeal
from companion.gamekit.game import Seat, Thing
from companion.gamekit.parts import seat_players
from companion.gamekit.simulated import (
    Dealing,
    HandAct,
    Lay,
    NextAct,
    PastStep,
    Players,
    Press,
    Say,
    Stray,
    Tap,
    chance,
)
from companion.gamekit.snapshot import Snapshot
from companion.simulation.hands import Given, Hands, Timed
from companion.simulation.search_players import SearchPlayers
from companion.stations import Kit, ReaderKit
from companion.table.pieces import Pack

AGREE_MS = 1200
DEAL_MS = 900
NEXT_MS = 200
"""From one act of a deed to the next."""
DOUBLE_MS = 90
"""A double tap or press: well within the time in which it counts once."""
MISTAKES = 3
"""How much more often a game's own mistakes are made than a double tap or a strange tag."""


class Deed(Struct, frozen=True):
    """What hands do next: wait this many milliseconds, then give the signal; then the next one."""

    seat: Seat
    steps: tuple[tuple[int, Given], ...]


class SimulatedTable:
    """Simulated players in some or all seats. The same seed plays the same game, with and without mischief."""

    def __init__(  # noqa: PLR0913 - who plays, how, and with what
        self,
        seed: int,
        seats: Collection[Seat],
        kit: Kit,
        mischief: float,
        pack: Pack,
        *,
        deals: bool = False,
        search: SearchPlayers | None = None,
    ) -> None:
        """`deals`: there are no real pieces at all, so the simulated stack deals to persons, too. `search`: some of the
        players search for their actions."""
        self._search = search
        self._decided: tuple[tuple[int, Seat], Say | None] | None = None
        """What a player who searches has decided: after which entry, which seat, which action."""
        self._seed, self._seats, self._pack, self._deals = seed, frozenset(seats), pack, deals
        self._kit: ReaderKit = "full" if kit == "full" else "one"
        self._hands = Hands(kit, pack)
        self._mischief = Mischief(seed, mischief)
        self._players: Players | None = None
        self._intended: _Intended | None = None
        self._answered: int | None = None
        self._before: tuple[Any, ...] | None = None
        self._simulated: tuple[bool, ...] = ()
        """Which of all players are simulated, in the newest snapshot."""
        self._steps = 0
        """Of those that were allowed while hands rest, how many were done."""

    def may_step(self, snapshot: Snapshot) -> bool:
        """Whether a player wants to see one more step of hands that rest."""
        return snapshot.steps > self._steps

    def stepped(self, snapshot: Snapshot) -> None:
        self._steps = self._steps + 1 if snapshot.paused else snapshot.steps

    def next(self, snapshot: Snapshot, at_ms: int) -> Deed | None:
        """What happens next at a table that looks like this; None when it is for a person to go on.

        Ask again when all signals of the deed have been answered, with the snapshot that came after them. The time
        of the signals is the hands' own: at least `at_ms`, and never earlier than what they did before.
        """
        if snapshot.number == self._answered:
            return None
        self._look_who_sits_where(snapshot)
        players = self._seated(snapshot.game)
        hands, stream = self._hands, self._mischief.stream.getstate()
        self._before = (hands.lying, hands.now_ms, players.memory, stream, self._intended, self._answered)
        plan = self._plan(snapshot, players)
        if plan is None:
            return None
        self._answered = snapshot.number
        return Deed(plan.seat, hands.do(_timed(plan), at_ms))

    def _look_who_sits_where(self, snapshot: Snapshot) -> None:
        """Between two games people may change seats, with those whom the computer plays."""
        simulated = tuple(player.simulated for player in snapshot.players)
        if self._simulated and simulated != self._simulated:
            self._seats = frozenset(seat for seat, is_simulated in enumerate(simulated) if is_simulated)
            self._players = self._intended = None
        self._simulated = simulated

    def _seated(self, game: str) -> Players:
        if self._players is None:
            self._players = seat_players(game, self._seed, self._seats, self._kit)
            if hasattr(self._players, "deals"):
                self._players.deals = self._deals
        return self._players

    # --- Dealing ----------------------------------------------------------------------------------------------

    def table_does(self, game: str, state: Any) -> tuple[str, ...]:
        """What hands do for persons as well; nothing at a table with real pieces. For players that say nothing about
        it: what is no player's own, as long as nothing else can be done."""
        if dealing := self._dealing(game):
            return dealing.table_does(state)
        rules = discovery.find(game)
        offered = tuple(rules.offered(state)) if self._deals else ()
        if any(hasattr(action, "seat") or isinstance(action, rules.communal) for action in offered):
            return ()
        return tuple(dict.fromkeys(str(action.__struct_config__.tag) for action in offered))

    def from_hand(self, game: str, state: Any) -> tuple[str, ...]:
        """What persons choose from the pieces that they were dealt."""
        return dealing.from_hand(state) if (dealing := self._dealing(game)) else ()

    def dealt(self, game: str, number: int, past: Sequence[PastStep], state: Any, seat: Seat) -> tuple[Thing, ...]:
        """What a person holds in this game of the match."""
        return tuple(dealing.dealt(number, past, state, seat)) if (dealing := self._dealing(game)) else ()

    def _dealing(self, game: str) -> Dealing | SimulatedDeal | None:
        """Players of the game's own deal; else the kit does, if it knows what is face down."""
        players: Any = self._seated(game)
        if not self._deals or hasattr(players, "deals"):
            return players if self._deals else None
        return self._search.deal if self._search else None

    # --- Playing ----------------------------------------------------------------------------------------------

    def abandon(self) -> None:
        """The newest deed was not begun: the table changed while the player was still thinking."""
        if self._before and self._players:
            hands, stream = self._hands, self._mischief.stream
            hands.lying, hands.now_ms, self._players.memory, state, self._intended, self._answered = self._before
            stream.setstate(state)
            self._before = None

    def _plan(self, snapshot: Snapshot, players: Players) -> NextAct | None:
        """A mistake is a deed of its own; then comes what was intended, unless the table has changed since."""
        intended, self._intended = self._intended, None
        if intended and intended.table == snapshot.table and not snapshot.question:
            return intended.plan
        before = players.memory = intended.memory if intended else players.memory
        seen = self._with_hands(snapshot)
        plan = self._agree(snapshot) if snapshot.question else players.plan(seen) or self._dealt_out(snapshot)
        if plan is None:
            return None
        if not snapshot.question and not plan.decides and self._search and (shown := self._search.drawn):
            plan = replace(plan, act=Say(shown))
        if not snapshot.question and self._searches(plan):
            plan = self._searched(snapshot, players, plan, before)
        mistakes = () if snapshot.question else players.mistakes(snapshot, plan)
        really = self._mischief.spoil(plan, mistakes)
        if really.act != plan.act:
            self._intended = _Intended(snapshot.table, plan, before)
        return really

    def _dealt_out(self, snapshot: Snapshot) -> NextAct | None:
        """Something that hands do for persons, by chance, if these players leave it to the persons."""
        dealing = self._dealing(snapshot.game)
        own = dealing is not None and not isinstance(dealing, SimulatedDeal)
        if own or not snapshot.by_table or snapshot.awaiting is None:
            return None
        actions = [action for action in snapshot.offered if str(action.__struct_config__.tag) in snapshot.by_table]
        luck = chance(self._seed, len(snapshot.match), snapshot.entry, "dealt out")
        return NextAct(snapshot.awaiting.seats[0], DEAL_MS, Say(luck.choice(actions)), decides=False)

    # --- Searching --------------------------------------------------------------------------------------------

    def thought(self, snapshot: Snapshot) -> Callable[[], None] | None:
        """Before `next`: what a player who searches has to think about, as a call that may run in another thread; None
        if there is nothing."""
        if self._search is None or snapshot.number == self._answered or snapshot.question:
            return None
        awaited = snapshot.awaiting.seats if snapshot.awaiting else ()
        if not any(self._search.level(seat) for seat in awaited):
            return None
        players = self._seated(snapshot.game)
        before = players.memory
        plan = players.plan(self._with_hands(snapshot))
        held = self._held(snapshot, players, plan.seat) if plan else None
        players.memory = before
        if plan is None or not self._searches(plan):
            return None
        key = (snapshot.entry, plan.seat)
        think = self._search.thought(plan.seat, held, hurry=True)
        return lambda: setattr(self, "_decided", (key, think()))

    def _with_hands(self, snapshot: Snapshot) -> Snapshot:
        """Where the rules do not know the hands, all that is legal is offered. Simulated players look into theirs: one
        who holds nothing that fits waits for the others."""
        if self._search is None or self._search.deal is None:
            return snapshot
        return replace(snapshot, offered=self._search.in_hand(self._seats, snapshot.offered))

    def _searches(self, plan: NextAct) -> bool:
        return self._search is not None and plan.decides and self._search.level(plan.seat) != ""

    def _searched(self, snapshot: Snapshot, players: Players, plan: NextAct, before: Any) -> NextAct:
        """What they have found, said on the screen. What was refused is not tried again: then they do what comes to
        their mind at once."""
        assert self._search is not None
        key = (snapshot.entry, plan.seat)
        if self._decided is None or self._decided[0] != key:
            held = self._held(snapshot, players, plan.seat)
            self._decided = key, self._search.thought(plan.seat, held, hurry=False)()
        said = self._decided[1]
        if said is None or (snapshot.history and snapshot.history[-1].kind == "refused"):
            return plan
        players.memory = before  # what was planned is forgotten, what is seen now is not
        self._held(snapshot, players, plan.seat)
        return NextAct(plan.seat, plan.think_ms, said, plan.first)

    def _held(self, snapshot: Snapshot, players: Any, seat: Seat) -> frozenset[str] | None:
        if hasattr(players, "held"):
            held: frozenset[str] = players.held(snapshot, seat)
            return held
        lying = self._search.lying if self._search else None
        return lying.hands[seat] if lying else None

    def _agree(self, snapshot: Snapshot) -> NextAct | None:
        """Every simulated player who is asked agrees. At a shared green button their hands would speak for a person,
        so there a piece says who it is."""
        asked = snapshot.question.missing if snapshot.question else ()
        for seat in asked:
            if seat in self._seats:
                own = next((piece for piece in self._pack.tags.values() if piece.owner == seat), None)
                return NextAct(seat, AGREE_MS, Tap(own) if own and self._kit == "one" else Press("green", seat))
        return None


class _Intended(Struct, frozen=True):
    """What a player wanted to do when they made a mistake, and what they remembered before they wanted it."""

    table: Any
    plan: NextAct
    memory: Any


class Mischief:
    """Now and then hands do something else first, or the right thing twice. It never changes the game.

    It has its own stream of chance, so that the game is the same without it."""

    def __init__(self, seed: int, rate: float) -> None:
        self.stream = Random(f"{seed}/mischief")
        self._rate = rate

    def spoil(self, plan: NextAct, mistakes: Sequence[HandAct]) -> NextAct:
        """What the hands really do."""
        if self.stream.random() >= self._rate:
            return plan
        kind = self.stream.choice(["stray", "double", *["mistake"] * MISTAKES * bool(mistakes)])
        if kind == "double":
            return replace(plan, twice=True)
        stray = Stray(f"E0{self.stream.randrange(16**6):06X}")
        return NextAct(plan.seat, plan.think_ms, stray if kind == "stray" else self.stream.choice(mistakes))


def _timed(plan: NextAct) -> list[Timed]:
    """The thinking comes before the first act, so that a deed can be abandoned while its player still thinks.

    On a screen a double touch is one intention: there nothing is done twice."""
    acts = [Timed(NEXT_MS, act) for act in (*plan.first, plan.act, *plan.then)]
    if plan.twice and not isinstance(plan.act, Say):
        quick = replace(plan.act, for_ms=DOUBLE_MS) if isinstance(plan.act, Tap | Lay) else plan.act
        acts[len(plan.first) : len(plan.first) + 1] = [Timed(NEXT_MS, quick), Timed(DOUBLE_MS, quick)]
    return [Timed(plan.think_ms, acts[0].act), *acts[1:]]
