"""Games between players of different strength: `make tournament` writes what it measures into docs/players.md.

The simulated players that a game brings look at a snapshot and move their hands. Here the game's own `meaning` reads
their gestures, without readers, referee or journal. Players who search get what their seat may know. Seats rotate: each
player sits in every seat equally often, and everybody starts equally often.

Results add up: docs/tournament.jsonl keeps what was played, and a run goes on with the next game. It may be stopped
whenever you like. When players have changed, start again with `--afresh`.
"""

import argparse
import fcntl
import math
import re
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.gamekit import discovery
from companion.gamekit.ending import Teams, share_of, teams_of
from companion.gamekit.game import Draft, Game, Laid, Pushed, Refusal, Seat, Setup
from companion.gamekit.game_start import read_action, read_options, usual_names
from companion.gamekit.parts import brings_players, judgement_of, seat_players
from companion.gamekit.search import CHANCE, LEVELS, ImaginedDeal, Skill, decide, knowledge_of, skill_of, steady
from companion.gamekit.simulated import Lay, NextAct, Press, Say, Tap
from companion.gamekit.snapshot import Kind, Player, Snapshot, Told
from companion.gamekit.table_options import typed_option

PAGE = Path(__file__).parent.parent / "docs" / "players.md"
RESULTS = PAGE.with_name("tournament.jsonl")
HISTORY = 60
"""As many lines as simulated players look back at."""
LONGEST = 20_000
CONFIDENT = 1.96
"""Standard deviations for 95 %."""


# --- A table without devices ----------------------------------------------------------------------------------


class LightTable:
    """A game in progress: its state, what was done, and what players look at."""

    def __init__(self, game: Game[Any, Any], setup: Setup) -> None:
        self.game, self.setup = game, setup
        self.state = game.setup(setup)
        self.past: list[tuple[Any, tuple[Seat, ...]]] = []
        self._told: list[Told] = []
        self._draft: Any = None
        self._options = msgspec.to_builtins(setup.options)
        self._names = tuple(Player(name, True) for name in usual_names(setup.players))

    def snapshot(self) -> Snapshot:
        game, state = self.game, self.state
        awaiting = game.awaiting(state)
        return Snapshot(
            number=len(self._told),
            entry=len(self.past) + 1,
            evening="tournament",
            game=game.name,
            players=self._names,
            kit="full",
            options=self._options,
            box=self.setup.box,
            table=game.view(state),
            awaiting=awaiting,
            settled=game.settled(state) if awaiting and game.settled else (),
            offered=tuple(game.offered(state)),
            history=tuple(self._told[-HISTORY:]),
            draft=self._draft,
        )

    def do(self, action: Any) -> bool:
        """Whether the rules accept it."""
        step = self.game.at_table(self.state, action)
        self._draft = None
        if isinstance(step, Refusal):
            self._tell("refused", step.what, step.rule, step.facts)
            return False
        for said in step.rulings:
            self._tell("accepted", said.what, said.rule, said.facts)
        self.state = step.state
        self.past.append((action, step.revealed))
        return True

    def _tell(self, kind: Kind, what: str, rule: str | None, facts: Any) -> None:
        self._told.append(Told(len(self._told) + 1, kind, what, rule, facts))

    def move(self, plan: NextAct) -> None:
        """What hands do, as the game reads it."""
        match plan.act:
            case Say(action):
                read = read_action(self.game, action) if isinstance(action, dict) else action
                if not isinstance(read, Refusal):
                    self.do(read)
            case Tap(piece, seat) | Lay(piece, seat):
                self._mean(Laid(piece, seat))
            case Press(colour, seat, held):
                self._mean(Pushed(colour, seat, held))

    def _mean(self, gesture: Laid | Pushed) -> None:
        game = self.game
        if self._draft is not None and game.continued:
            meant = game.continued(self.state, self._draft, gesture)
        else:
            meant = game.meaning(self.state, gesture)
        if isinstance(meant, Draft):
            self._draft = meant.so_far
        elif type(meant) in game.actions:
            self.do(meant)
        else:
            self._tell(meant.kind, meant.what, None, meant.facts)


# --- Games ----------------------------------------------------------------------------------------------------

Mind = Skill | None
"""Who decides in a seat: a search, or the simulated player that the game brings."""
RANDOM = Skill(playouts=0)
"""Anything that is legal."""
USUAL = steady(LEVELS["easy"])
"""Who plays as "simulated" in a game that brings no players."""


class Played(Struct, frozen=True):
    winners: tuple[Seat, ...]
    teams: Teams
    totals: tuple[int, ...]
    decisions: int
    seconds: float
    """Of thinking, by players who search."""


def play(game: Game[Any, Any], setup: Setup, seed: int, minds: Sequence[Mind]) -> Played:
    """One game, always the same for the same seed."""
    table, judgement, luck = LightTable(game, setup), judgement_of(game.name), Random(seed)
    hands: Any = None
    if brings_players(game.name):
        hands = seat_players(game.name, seed, frozenset(range(setup.players)), "full")
    deal = ImaginedDeal(game, table.state, {}, luck) if hands is None else None
    decisions, seconds = 0, 0.0
    for _ in range(LONGEST):
        snapshot = table.snapshot()
        if snapshot.awaiting is None:
            totals = tuple(score.total for score in game.scores(table.state))
            return Played(game.winners(table.state), teams_of(game, setup.players), totals, decisions, seconds)
        if deal:
            seat = judgement.turn(table.state)
            if seat is None or seat == CHANCE:
                table.do(deal.drawn(table.state) or judgement.draw(table.state, luck))
                deal.go_on(table.state, luck)
                continue
            skill, held = minds[seat] or USUAL, deal.hand(seat)
        else:
            before = hands.memory
            plan = hands.plan(snapshot)
            seat, skill = plan.seat, minds[plan.seat]
            if skill is None or not plan.decides or judgement.turn(table.state) == CHANCE:
                table.move(plan)
                continue
            hands.memory = before
            held = hands.held(snapshot, seat) if hasattr(hands, "held") else None
        began = time.process_time()
        if skill is RANDOM:
            action = Random(f"{seed}/{len(table.past)}").choice(list(judgement.candidates(table.state, seat, held)))
        else:
            knowledge = replace(knowledge_of(game, setup, table.state, table.past, seat), held=held)
            action = decide(game, judgement, knowledge, skill, f"{seed}/{len(table.past)}/{seat}")
        seconds += time.process_time() - began
        decisions += 1
        if not table.do(action):
            raise AssertionError(f"{game.name}: {action} was decided, but is refused")
        if deal:
            deal.go_on(table.state, luck)
    raise AssertionError(f"{game.name}: after {LONGEST} steps the game is still not over")


class Tally(Struct, frozen=True):
    """How one player fared against all others at the table."""

    games: int = 0
    wins: float = 0.0
    """A shared victory counts in part."""
    decisions: int = 0
    seconds: float = 0.0

    def with_(self, seat: Seat, played: Played) -> "Tally":
        return self.plus(Tally(1, share_of(seat, played.winners, played.teams), played.decisions, played.seconds))

    def plus(self, other: "Tally") -> "Tally":
        return Tally(
            self.games + other.games,
            self.wins + other.wins,
            self.decisions + other.decisions,
            self.seconds + other.seconds,
        )

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's: the true share lies here, with 95 %."""
        share, z = self.wins / self.games, CONFIDENT
        middle = share + z * z / (2 * self.games)
        half = z * math.sqrt(share * (1 - share) / self.games + z * z / (4 * self.games**2))
        return (middle - half) / (1 + z * z / self.games), (middle + half) / (1 + z * z / self.games)


class Pairing(Struct, frozen=True, omit_defaults=True):
    """One player against the same others at a table."""

    game: str
    one: str
    others: str
    players: int = 4
    options: dict[str, Any] = {}
    """Those that are not the usual ones."""


def tallies(pairing: Pairing, games: int, first: int = 0) -> Iterator[Tally]:
    """The player in every seat, game after game, from game number `first`: how it stands after each."""
    game, players = discovery.find(pairing.game), pairing.players
    one, others = mind(pairing.one), mind(pairing.others)
    box, options, tally = game.parse_box(game.standin(), "the stand-in"), read_options(game, pairing.options), Tally()
    for number in range(first, first + games):
        seat = number % players
        minds = [one if each == seat else others for each in range(players)]
        setup = Setup(players, number // players % players, options, box)
        tally = tally.with_(seat, play(game, setup, number, minds))
        yield tally


# --- What was played before -----------------------------------------------------------------------------------


class Result(Struct, frozen=True):
    pairing: Pairing
    tally: Tally


def results(path: Path = RESULTS) -> list[Result]:
    return _read(path.read_bytes()) if path.exists() else []


def add(pairing: Pairing, tally: Tally | None, path: Path = RESULTS) -> Tally:
    """All games of this pairing, with these added; None: from now on there are none. Other runs may add to the same
    file, for other pairings."""
    with path.open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        known = {repr(each.pairing): each for each in _read(file.read())}
        before = known.get(repr(pairing), Result(pairing, Tally())).tally
        known[repr(pairing)] = Result(pairing, Tally() if tally is None else before.plus(tally))
        file.truncate(0)
        file.write(msgspec.json.Encoder().encode_lines(known.values()))
    return known[repr(pairing)].tally


def _read(lines: bytes) -> list[Result]:
    return msgspec.json.Decoder(Result).decode_lines(lines)


# --- The page -------------------------------------------------------------------------------------------------


def mind(said: str) -> Mind:
    """ "strong", "easy:bold"; "simulated" for those that the game brings, "random" for any legal action."""
    if said == "simulated":
        return None
    skill = RANDOM if said == "random" else skill_of(said)
    if skill is None:
        raise SystemExit(f"there is no player {said!r}: easy, solid, strong, simulated or random")
    return skill if skill is RANDOM else steady(skill)


def row(pairing: Pairing, tally: Tally) -> str:
    low, high = tally.interval
    spent = f"{tally.seconds / tally.decisions * 1000:.0f} ms" if tally.decisions else ""
    share = f"{tally.wins / tally.games:.0%} ({low:.0%} to {high:.0%})"
    about = ", ".join([pairing.game, *(f"{name}={value}" for name, value in pairing.options.items())])
    against = f"{pairing.players - 1} × {pairing.others}"
    return f"| {about} | {pairing.one} | {against} | {share} | {tally.games} | {spent} |"


def with_row(page: str, new: str) -> str:
    """The page with this row, in the place of an older one about the same players."""
    about = new.split("|")[1:4]
    lines = page.splitlines()
    for at, line in enumerate(lines):
        if line.split("|")[1:4] == about:
            lines[at] = new
            return "\n".join(lines) + "\n"
    last = max(at for at, line in enumerate(lines) if re.match(r"\| [a-z][^|]* \||\|---", line))
    return "\n".join([*lines[: last + 1], new, *lines[last + 1 :]]) + "\n"


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="tools.tournament", description=__doc__)
    parser.add_argument("game", nargs="*", help="which games (default: all)")
    parser.add_argument("--one", default="strong", help="who is measured")
    parser.add_argument("--others", default="simulated", help="against whom")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--option", type=typed_option, action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--games", type=int, default=1000, help="go on until there are so many, with those of before")
    parser.add_argument("--seconds", type=float, default=math.inf, help="end earlier, after whole rounds of seats")
    parser.add_argument("--afresh", action="store_true", help="forget what was played before: players have changed")
    said = parser.parse_args(words)
    for name in said.game or discovery.names():
        measure(Pairing(name, said.one, said.others, said.players, dict(said.option)), said)
    return 0


def measure(pairing: Pairing, said: argparse.Namespace) -> None:
    """Round of seats after round of seats, each added to the results as soon as it is over."""
    until = time.monotonic() + said.seconds
    tally = add(pairing, None if said.afresh else Tally())
    while tally.games < said.games and time.monotonic() < until:
        *_, round_of_seats = tallies(pairing, pairing.players, tally.games)
        tally = add(pairing, round_of_seats)
        new = row(pairing, tally)
        print(new, flush=True)
        PAGE.write_text(with_row(PAGE.read_text(encoding="utf-8"), new), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
