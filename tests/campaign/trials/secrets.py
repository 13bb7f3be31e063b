"""Hidden choices: how many bits of them each kind of message tells to the other players, in all four games."""

from collections import Counter, defaultdict
from random import Random

from companion.messages.intentions import BotAct, Correct, Identify, Reconsider, RunErrand, TapTag
from tests.campaign.trial import Measured, Outcome
from tests.session.worlds import KINDS, Evenings, Situation, asked

TITLE = "hidden choices"
HOW = (
    "Evenings of all four games, played at random with corrections and undos. Wherever a player hides something, up "
    "to eight tables differ in what it is, and in nothing else. Every kind of message is said to all of them alike by "
    "every other player, with a few others after it, and often after a correction that names on purpose what one of "
    "the tables hides: in Sioux and Darwinci a stand-in then takes its place there, in Carnuta the rules exchange the "
    "card (C17), and in Lascaux nothing can clash. Phones touch the tags of the pieces that may be hidden, and at some "
    "tables a bot with real pieces asks persons to run its errands. Answers, every screen, each other player's own "
    "view, lights, transcript, replay and what statistics take are compared byte by byte until the secret is revealed "
    "at all tables; a message that reveals it at some of them only is a leak. An answer that differs reveals bits: "
    "the table below has them for each kind."
)
FULL = 50_000
QUICK = 300

GAMES = ("sioux", "darwinci", "carnuta", "lascaux")
LONGEST = 70
"""Entries of an evening."""
MOMENTS = 2
"""So many of an evening are looked at: otherwise one evening of Sioux would be a whole portion of the trial."""
LOOKED = "only looked"
MORE = (Correct, Correct, Correct, Reconsider, Reconsider)
"""What looks back furthest is asked more often."""


def run(count: int, seed: int) -> Outcome:
    """So many messages, each said at all tables of a situation."""
    said: Counter[str] = Counter()
    told: defaultdict[str, float] = defaultdict(float)
    seen: Counter[str] = Counter(
        {
            "hidden choices": 0,
            **{f"of them in {game.capitalize()}": 0 for game in GAMES},
            "of them told by an answer": 0,
            "of them told completely": 0,
            "corrections accepted": 0,
            "corrections into what is hidden": 0,
            "errands of bots": 0,
            "tags touched by phones": 0,
            "messages that met a stand-in": 0,
            **{f"of those in {game.capitalize()}": 0 for game in GAMES},
        }
    )
    failures: list[str] = []
    number = 0
    while said.total() < count:
        game, chance = GAMES[(seed + number) % len(GAMES)], Random(f"{seed} {number}")
        situations = list(Evenings(game, chance).situations(LONGEST))
        for situation in chance.sample(situations, min(MOMENTS, len(situations))):
            seen["hidden choices"] += 1
            seen[f"of them in {game.capitalize()}"] += 1
            found = [answer for kind in (*KINDS, *MORE) for answer in asked(situation, kind, chance)]
            for answer in found:
                kind = type(answer.message).__name__ if answer.message else LOOKED
                said[kind] += 1
                told[kind] += answer.bits
                seen["corrections accepted"] += answer.outcome == "corrected"
                seen["corrections into what is hidden"] += answer.clashes
                seen["errands of bots"] += isinstance(answer.message, BotAct | RunErrand)
                seen["tags touched by phones"] += isinstance(answer.message, TapTag | Identify)
                seen["messages that met a stand-in"] += answer.stands_in
                seen[f"of those in {game.capitalize()}"] += answer.stands_in
                if answer.bits:
                    failures.append(_failure(seed, number, situation, answer.message, answer.bits))
            seen["of them told by an answer"] += any(answer.bits for answer in found)
            seen["of them told completely"] += any(answer.found for answer in found)
            if said.total() >= count:
                break
        number += 1
    measured = {kind: Measured(said[kind], told[kind]) for kind in sorted(said)}
    return Outcome(said.total(), {"evenings": number, **seen}, tuple(failures), measured, "bits told")


def _failure(seed: int, number: int, situation: Situation, message: object, bits: float) -> str:
    where = f"seed {seed}, evening {number} of {situation.game}, entry {situation.number}"
    return f"{where}: {message!r} tells {bits:.2f} bits"
