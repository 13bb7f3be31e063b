"""`companion adjudicate FILE`: prints what the rules say to a transcript, as text or as JSON."""

import sys
import weakref
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from json import dumps, loads
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Any

import msgspec
from msgspec import Struct

from companion.gamekit import discovery
from companion.gamekit.ending import broken_tie, shared_victory
from companion.gamekit.game import Game, Refusal, Score
from companion.gamekit.game_start import Header, begin, read_action
from companion.home.transcript_files import box_of, read_transcript
from companion.language.wording import ENGLISH, Naming, Said, filled, listed, numeral, plain, say

EXAMPLES = ("companion adjudicate game.jsonl --json",)


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="the transcript (JSON Lines)")
    parser.add_argument("--json", action="store_true", help="print the verdict as one JSON object")


def run(said: Namespace) -> int:
    """0: every action was accepted; 1: some were refused. Raises TranscriptError, with exit status 2."""
    verdict = adjudicate(said.file)
    _write(verdict_json(verdict) if said.json else verdict_text(verdict))
    return int(bool(verdict.refusals))


def _write(parts: Iterable[str]) -> None:
    """Write to stdout. If that takes only ASCII, other letters become question marks."""
    encoding = sys.stdout.encoding or "utf-8"
    for part in parts:
        sys.stdout.write(part.encode(encoding, "replace").decode(encoding))


IN_MEMORY = 1024 * 1024
"""Bytes of refusals that are kept in memory; more go to a temporary file."""


class Refused(Struct, frozen=True):
    """A line that the rules do not allow, with its ruling and the reason."""

    line: int
    rule: str | None
    reason: str


class Refusals:
    """What the rules refused, in the order of the lines. Add all of them first; then they can be read several times."""

    def __init__(self, say: Callable[[Refusal], str]) -> None:
        self._say = say
        self._newest: tuple[Refusal, str] | None = None
        """With its reason: in a file with thousands of refusals, most have the same reason as the one before."""
        self._file = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - closed by `finalize`
        weakref.finalize(self, self._file.close)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, line: int, refusal: Refusal) -> None:
        """Raises OSError when the disk is full."""
        if self._newest is None or self._newest[0] != refusal:
            self._newest = refusal, self._say(refusal)
        said = dumps([line, refusal.rule, self._newest[1]])  # in ASCII, because a reason may quote half a character
        self._file.write(f"{said}\n".encode())
        self._count += 1

    def __iter__(self) -> Iterator[Refused]:
        self._file.seek(0)
        return (Refused(*loads(line)) for line in self._file)


class Verdict(Struct, frozen=True):
    """The state of a game after its transcript, and what was refused on the way."""

    header: Header
    box: str
    """The origin of the box."""
    game: Game[Any, Any]
    state: Any
    refusals: Refusals
    word: Naming

    @property
    def finished(self) -> bool:
        return self.game.awaiting(self.state) is None

    def say(self, said: Said) -> str:
        return say(said, self.game.sentences, self.header.players, word=self.word)


def adjudicate(path: Path) -> Verdict:
    """Play a transcript, line by line. Raises TranscriptError if it or its box cannot be read."""
    transcript = read_transcript(path)
    found = box_of(transcript, path)
    game = discovery.find(transcript.header.game)
    _setup, state = begin(transcript.header, found.box)
    word = partial(game.word, found.box)
    refusals = Refusals(lambda refusal: say(refusal, game.sentences, transcript.header.players, word=word))
    for line in transcript.lines:
        outcome = read_action(game, line.action)
        if not isinstance(outcome, Refusal):
            outcome = game.apply(state, outcome)
        if isinstance(outcome, Refusal):
            refusals.add(line.number, outcome)
        else:
            state = outcome.state
    return Verdict(transcript.header, found.origin, game, state, refusals, word)


# --- As JSON --------------------------------------------------------------------------------------------------


def verdict_json(verdict: Verdict) -> Iterator[str]:
    """One JSON object in ASCII, on one line, part by part."""
    game, state = verdict.game, verdict.state
    before: dict[str, Any] = {
        "game": game.name,
        "finished": verdict.finished,
        "awaiting": msgspec.to_builtins(game.awaiting(state)),
    }
    after: dict[str, Any] = {"table": msgspec.to_builtins(game.table(state))}
    if verdict.finished:
        after["scores"] = [_score(score, verdict.header.players) for score in game.scores(state)]
        after["winners"] = game.winners(state)
        after["tie_break"] = _tie_break(verdict)
    yield dumps(before).removesuffix("}") + ', "refusals": ['
    for number, refused in enumerate(verdict.refusals):
        yield (", " if number else "") + dumps(msgspec.to_builtins(refused))
    yield "], " + dumps(after).removeprefix("{") + "\n"


def _score(score: Score, players: tuple[str, ...]) -> dict[str, Any]:
    parts = [{"for": part.for_, "points": part.points, "rule": part.rule} for part in score.parts]
    return {"seat": score.seat, "player": players[score.seat], "total": score.total, "parts": parts}


def _tie_break(verdict: Verdict) -> dict[str, Any] | None:
    """What decided between players with equally many points; None if there was no tie."""
    said = broken_tie(verdict.game, verdict.state)
    return None if said is None else {"rule": said.rule, "reason": verdict.say(said)}


# --- As text --------------------------------------------------------------------------------------------------


def verdict_text(verdict: Verdict) -> Iterator[str]:
    """The same as readable text, line by line."""
    names = [plain(player) or f"seat {seat}" for seat, player in enumerate(verdict.header.players)]
    blocks: list[Iterable[str]] = [
        [f"{verdict.game.name}: {listed(names)}, with {plain(verdict.box, 200)}"],
        _refusal_lines(verdict),
        ["The table", *_table_lines(verdict, names)],
        _end_lines(verdict, names) if verdict.finished else _turn_lines(verdict, names),
    ]
    for number, block in enumerate(blocks):
        yield "\n" if number else ""
        yield from (f"{line}\n" for line in block)


def _refusal_lines(verdict: Verdict) -> Iterator[str]:
    yield "Refused" if verdict.refusals else "All actions were accepted."
    for no in verdict.refusals:
        yield f"  line {no.line}: {no.reason}{_cited(no.rule)}"


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


def _seats(value: Any, names: list[str]) -> str:
    if isinstance(value, int):
        return names[value] if 0 <= value < len(names) else numeral(value)
    return ", ".join(_seats(each, names) for each in value or ()) or "none"


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{plain(str(key), 60)} {_shown(item)}" for key, item in value.items()) or "none"
    if isinstance(value, list | tuple):
        return (
            ", ".join(f"({_shown(item)})" if isinstance(item, dict | list | tuple) else _shown(item) for item in value)
            or "none"
        )
    if isinstance(value, int):
        return numeral(value)
    return "none" if value is None else plain(str(value), 60)


def _turn_lines(verdict: Verdict, names: list[str]) -> Iterator[str]:
    awaiting = verdict.game.awaiting(verdict.state)
    if awaiting:
        yield f"To act: {listed([names[seat] for seat in awaiting.seats])} ({' or '.join(awaiting.do)})"
    instruction = verdict.game.instruction(verdict.state) if verdict.game.instruction else None
    if instruction:
        yield f"{verdict.say(instruction)}{_cited(instruction.rule)}"


def _end_lines(verdict: Verdict, names: list[str]) -> Iterator[str]:
    yield "Scores"
    for score in verdict.game.scores(verdict.state):
        yield f"  {names[score.seat]}: {filled(verdict.game.unit, {'total': score.total})}"
        yield from (f"        {verdict.say(note)}{_cited(note.rule)}" for note in score.notes)
        for part in score.parts:
            yield f"    {numeral(part.points):>3} {part.for_}: {verdict.say(part)} ({part.rule})"
    tie = _tie_break(verdict)
    if tie:
        yield f"Tie-break: {tie['reason']}{_cited(tie['rule'])}"
    shared = shared_victory(verdict.game, verdict.state)
    if shared:
        yield f"Shared: {verdict.say(shared)}{_cited(shared.rule)}"
    winners = verdict.game.winners(verdict.state)
    yield f"{ENGLISH.plural('Winner', 'Winners', len(winners))}: {listed([names[seat] for seat in winners])}"
