"""A game of Lascaux on one shared screen, by keys alone, under the real rules."""

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from companion.gamekit.game import Refusal, Setup
from companion.gamekit.snapshot import Player, Snapshot, Told
from companion.games.lascaux.rules import GAME
from companion.messages.intentions import Act
from tests.screen.table import Evening, evening

NAMES = ("Anna", "Ben", "Cleo")
HISTORY = 60


class Rules:
    """Adjudicates what the screen posts, as the referee would."""

    def __init__(self) -> None:
        box = GAME.parse_box(GAME.standin(), "the stand-in")
        self.state = GAME.setup(Setup(3, 0, GAME.options(), box))
        self.box, self.lines = box, [Told(0, "noted", "a new game", None, {"seat": 0})]

    def heed(self, act: Act) -> Told:
        kind = next(kind for kind in GAME.actions if kind.__struct_config__.tag == act.action["do"])
        outcome = GAME.apply(self.state, kind(**{name: act.action[name] for name in kind.__struct_fields__}))
        rulings: Sequence[Any] = [outcome] if isinstance(outcome, Refusal) else outcome.rulings
        told = "refused" if isinstance(outcome, Refusal) else "accepted"
        first = len(self.lines)
        self.lines += [Told(len(self.lines) + n, told, r.what, r.rule, r.facts) for n, r in enumerate(rulings)]
        if not isinstance(outcome, Refusal):
            self.state = outcome.state
        return self.lines[first]

    def snapshot(self) -> Snapshot:
        state, awaiting = self.state, GAME.awaiting(self.state)
        return Snapshot(
            number=len(self.lines),
            entry=len(self.lines),
            evening="e",
            game="lascaux",
            players=tuple(Player(name) for name in NAMES),
            kit="none",
            options={},
            box=self.box,
            table=GAME.view(state),
            awaiting=awaiting,
            offered=tuple(GAME.offered(state)),
            secret=("choose",) if state.phase == "choose" else (),
            can_undo=True,
            history=tuple(self.lines[-HISTORY:]),
            scores=GAME.scores(state) if awaiting is None else (),
            winners=GAME.winners(state) if awaiting is None else (),
        )


async def step(tonight: Evening, rules: Rules, *keys: str) -> None:
    """Press keys until something was posted; the rules answer, and the screen shows it."""
    count = len(tonight.referee.heard)
    await tonight.press(*keys)
    for act in (await tonight.heard(count + 1))[count:]:
        assert rules.heed(act).kind == "accepted"
    await tonight.show(rules.snapshot())


async def play_round(tonight: Evening, rules: Rules) -> None:
    while rules.state.phase == "draw":
        await step(tonight, rules, "d", "1", "1")
    turn = rules.state.round % 6
    await step(tonight, rules, "c", "enter", str(turn + 1))
    await step(tonight, rules, "enter", str((turn + 2) % 6 + 1))
    await step(tonight, rules, "enter", str((turn + 4) % 6 + 1))
    while rules.state.phase == "bid":
        await step(tonight, rules, "s" if rules.state.pot < 2 else "p")


def skip_rounds(rules: Rules) -> None:
    """The middle of the game, without the screen."""
    while len(rules.state.deck) > 4 or rules.state.phase != "draw":
        legal = GAME.legal(rules.state)
        waiting = [seat for seat, choice in enumerate(rules.state.choices) if choice is None]
        if rules.state.phase == "choose":
            legal = [action for action in legal if action.seat == waiting[0]]
        rules.heed(Act("", msgspec.to_builtins(legal[(len(rules.lines) * 5) % len(legal)])))


@pytest.mark.slow
def test_a_game_is_played_from_its_first_to_its_last_round_by_keys_alone() -> None:
    async def story() -> None:
        rules = Rules()
        async with evening(rules.snapshot()) as tonight:
            await play_round(tonight, rules)
            skip_rounds(rules)
            await tonight.show(rules.snapshot())
            for _round in range(6):
                if rules.state.phase != "over":
                    await play_round(tonight, rules)
            assert "The scoring (1/" in tonight.text()
            await tonight.press("escape")
            text = tonight.text()
            assert "Next game" in text
            totals = next(line for line in text.splitlines() if "total" in line).split()
            assert totals[1:] == [str(score.total) for score in GAME.scores(rules.state)]

    asyncio.run(story())
