"""Plays Sioux by keys alone: whatever is asked, with legal answers at random."""

from collections.abc import Sequence
from random import Random

from companion.games.sioux import sentences
from companion.screen.screens.handover import HandOver, Secret
from companion.screen.screens.show_dialog import Show
from tests.games.sioux.screen.evening import GAME, NAMES, Evening

KEYS = "123456789abc"
SEED = 1349
QUICK = "".join(
    line.replace("value = 1", "value = 2") if line in ("value = 11\n", "value = 12\n", "value = 13\n") else line
    for line in GAME.standin().splitlines(keepends=True)
)
"""With 21, 22 and 23 instead of 11, 12 and 13 a winter comes soon; with this seed every question is asked."""


async def answer(tonight: Evening, luck: Random) -> None:
    """By keys, what a person could do now: any legal action, at random."""
    state = tonight.state
    while isinstance(tonight.app.screen, Show):
        await tonight.press("escape")
    if state.phase in ("play", "duel"):
        await tonight.press("p")
        for _ in {action.seat for action in GAME.legal(state)}:
            await tonight.until(lambda: isinstance(tonight.app.screen, HandOver))
            await tonight.press("enter")
            await tonight.until(lambda: isinstance(tonight.app.screen, Secret))
            await tonight.pilot.pause()
            await tonight.pick(_a_legal_card(tonight, luck))
        return
    action = luck.choice(GAME.legal(state))
    match state.phase:
        case "name":
            await tonight.press("s", str(action.value))
        case "crow":
            asked = [action.seat for action in GAME.legal(state) if action.call]
            who = [KEYS[asked.index(action.seat)]] if len(asked) > 1 else []
            await tonight.press("c" if action.call else "x", *who)
        case "gifts":
            givers = state.claims[0][1]
            several = ["1" if giver in action.from_ else "2" for giver in givers] if len(givers) > 1 else []
            await tonight.press(*(["g", *several] if action.from_ else ["x"]))
        case "dealt":
            await tonight.press("d", *(_keys_of_an_order(state.tied, action.seats)))


def _a_legal_card(tonight: Evening, luck: Random) -> str:
    """What stands on the button of a card that the player with the screen holds."""
    seat = next(seat for seat, name in enumerate(NAMES) if f"{name}, only you" in tonight.text())
    hand = [action.card for action in GAME.legal(tonight.state) if action.seat == seat]
    chosen = luck.choice(hand)
    return sentences.card(tonight.state.fixed.box, chosen, str) or "lay nothing"


def _keys_of_an_order(tied: Sequence[int], order: Sequence[int]) -> list[str]:
    """S20 The last one need not be told."""
    left, keys = list(tied), []
    for seat in order[:-1]:
        keys.append(KEYS[left.index(seat)])
        left.remove(seat)
    return keys
