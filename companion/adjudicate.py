"""`companion adjudicate FILE`: what the rules say to a transcript, as JSON or as readable text."""

import sys
from collections.abc import Iterable, Iterator
from functools import partial
from json import dumps
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from companion import games
from companion.boxes import FoundBox, find_box
from companion.errors import BoxError, CompanionError, TranscriptError
from companion.games.beginning import Header, begin, read_action
from companion.games.game import Game, Refusal, Score
from companion.transcript import Transcript, read_transcript
from companion.wording import Naming, listed, plain, say

ACCEPTED, REFUSED, UNREADABLE = 0, 1, 2
"""Exit statuses."""


class Refused(Struct, frozen=True):
    """A line that the rules do not allow, with its ruling and the reason."""

    line: int
    rule: str | None
    reason: str


class Verdict(Struct, frozen=True):
    """Where a game stands after its transcript, and what was refused on the way."""

    header: Header
    box: str
    """Where the box came from."""
    game: Game[Any, Any]
    state: Any
    refusals: tuple[Refused, ...]
    word: Naming

    @property
    def finished(self) -> bool:
        return self.game.awaiting(self.state) is None

    @property
    def status(self) -> int:
        return REFUSED if self.refusals else ACCEPTED


def run(path: Path, json: bool) -> int:
    """Print the verdict on a transcript, or why it cannot be read; the exit status."""
    try:
        verdict = adjudicate(path)
    except CompanionError as error:
        sys.stderr.write(f"companion: {plain(str(error), 1000)}\n")
        return UNREADABLE
    _write(verdict_json(verdict) if json else verdict_text(verdict))
    return verdict.status


def _write(text: str) -> None:
    """To stdout, also when that speaks only ASCII: a question mark in a name is no reason to crash."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding))


def adjudicate(path: Path) -> Verdict:
    """Read a transcript and play it. Raises TranscriptError if it, or its box, cannot be read."""
    transcript = read_transcript(path)
    found = _find_box(transcript, path)
    start = begin(transcript.header, found.box)
    game, state = start.game, start.state
    word = partial(game.word, found.box)
    refusals: list[Refused] = []
    for line in transcript.lines:
        outcome = read_action(game, line.action)
        if not isinstance(outcome, Refusal):
            outcome = game.apply(state, outcome)
        if isinstance(outcome, Refusal):
            reason = say(outcome, game.sentences, transcript.header.players, word=word)
            refusals.append(Refused(line.number, outcome.rule, reason))
        else:
            state = outcome.state
    return Verdict(transcript.header, found.origin, game, state, tuple(refusals), word)


def _find_box(transcript: Transcript, path: Path) -> FoundBox:
    try:
        return find_box(games.find(transcript.header.game), transcript.box)
    except BoxError as error:
        raise TranscriptError(f"{path}, line 1: box: {error}") from None
    except ValueError:  # no file can have such a name
        raise TranscriptError(f"{path}, line 1: box: there is no file {transcript.header.box!r}") from None


# --- As JSON --------------------------------------------------------------------------------------------------


def verdict_json(verdict: Verdict) -> str:
    """One JSON object in ASCII, on one line."""
    game, state = verdict.game, verdict.state
    data: dict[str, Any] = {
        "game": game.name,
        "finished": verdict.finished,
        "awaiting": msgspec.to_builtins(game.awaiting(state)),
        "refusals": msgspec.to_builtins(verdict.refusals),
        "table": msgspec.to_builtins(game.table(state)),
    }
    if verdict.finished:
        data["scores"] = [_score(score, verdict.header.players) for score in game.scores(state)]
        data["winners"] = game.winners(state)
    return dumps(data) + "\n"


def _score(score: Score, players: tuple[str, ...]) -> dict[str, Any]:
    parts = [{"for": part.for_, "points": part.points, "rule": part.rule} for part in score.parts]
    return {"seat": score.seat, "player": players[score.seat], "total": score.total, "parts": parts}


# --- As text --------------------------------------------------------------------------------------------------


def verdict_text(verdict: Verdict) -> str:
    """The same, to be read by people."""
    names = [plain(player) or f"seat {seat}" for seat, player in enumerate(verdict.header.players)]
    blocks: list[Iterable[str]] = [
        [f"{verdict.game.name}: {listed(names)}, with {plain(verdict.box, 200)}"],
        _refusal_lines(verdict),
        ["The table", *_table_lines(verdict, names)],
        _end_lines(verdict, names) if verdict.finished else _turn_lines(verdict, names),
    ]
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def _refusal_lines(verdict: Verdict) -> list[str]:
    if not verdict.refusals:
        return ["All actions were accepted."]
    return ["Refused", *(f"  line {no.line}: {no.reason}{_cited(no.rule)}" for no in verdict.refusals)]


def _cited(rule: str | None) -> str:
    return f" ({rule})" if rule else ""


def _table_lines(verdict: Verdict, names: list[str]) -> Iterator[str]:
    game = verdict.game
    table = msgspec.to_builtins(game.table(verdict.state))
    for key, value in table.items():
        if key not in game.per_player:
            yield f"  {key}: {_seats(value, names) if key in game.seats else _shown(value)}"
    for seat, name in enumerate(names):
        yield f"  {name}: {'; '.join(f'{key}: {_shown(table[key][seat])}' for key in game.per_player)}"


def _seats(value: int | list[int] | None, names: list[str]) -> str:
    if isinstance(value, int):
        return names[value]
    return ", ".join(names[seat] for seat in value or ()) or "none"


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{plain(str(key), 60)} {_shown(item)}" for key, item in value.items()) or "none"
    if isinstance(value, list | tuple):
        return (
            ", ".join(f"({_shown(item)})" if isinstance(item, dict | list) else _shown(item) for item in value)
            or "none"
        )
    return "none" if value is None else plain(str(value), 60)


def _turn_lines(verdict: Verdict, names: list[str]) -> Iterator[str]:
    awaiting = verdict.game.awaiting(verdict.state)
    if awaiting:
        yield f"To act: {listed([names[seat] for seat in awaiting.seats])} ({' or '.join(awaiting.do)})"


def _end_lines(verdict: Verdict, names: list[str]) -> Iterator[str]:
    yield "Scores"
    for score in verdict.game.scores(verdict.state):
        yield f"  {names[score.seat]}: {score.total}"
        for part in score.parts:
            reason = say(part, verdict.game.sentences, verdict.header.players, word=verdict.word)
            yield f"    {part.points:>3} {part.for_}: {reason} ({part.rule})"
    winners = verdict.game.winners(verdict.state)
    yield f"{'Winner' if len(winners) == 1 else 'Winners'}: {listed([names[seat] for seat in winners])}"
