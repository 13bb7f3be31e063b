"""A piece that the box does not list: it takes the place of a listed piece that no player has seen yet.

A box has as many pieces as the game. If a piece on the table is not listed, a listed one does not exist, and it is
unknown which. If the wrong one is replaced, it is not listed when it turns up, and takes the place of the next.
"""

from collections.abc import Mapping
from typing import Any

from companion.enrolment.course import objection
from companion.errors import CompanionError
from companion.gamekit.enrolment import Answers, Data, EnrolmentStep, Value
from companion.gamekit.game import Game, Refusal, Thing, named
from companion.gamekit.game_start import begin
from companion.gamekit.parts import enrolment_plan
from companion.session.entry import box_body
from companion.session.evening import Evening
from companion.session.stand_ins import same_kind
from companion.toml import read_toml, toml_text


def enlisted(evening: Evening, key: str, values: Mapping[str, Any]) -> bytes | Refusal:
    """The box with this piece, as the body of an entry. `key`: the step of the enrolment that asks for such a piece."""
    game, text = evening.game, evening.header.box
    data = read_toml(text)
    plan = enrolment_plan(game.name)
    steps = [step for step in plan.steps(data, {}) if step.tagged]
    pieces = dict(zip((step.key for step in steps), game.pieces(game.parse_box(text, "the box")), strict=True))
    asked = next((step for step in steps if step.key == key and step.fields), None)
    told = _told(values)
    if asked is None or told is None or objection(plan, asked, told):
        return Refusal(None, "no such piece")
    unseen = [step for step in steps if alike(step, asked) and _is_unseen(evening, pieces[step.key])]
    if not unseen:
        return Refusal(None, "all seen")
    listed = {piece.id for piece in game.pieces(game.parse_box(evening.played_game.first_box, "the first box"))}
    way = ([step for step in unseen if pieces[step.key].id in listed] or unseen)[-1]  # not one that has just been added
    gone = pieces[way.key]
    box = _box(data, game, gone, {**_likely(steps), way.key: told})
    hidden = _may_be_hidden(evening, gone.kind, pieces)
    try:
        _setup, first = begin(evening.header, game.parse_box(box, "the box with this piece"))
    except CompanionError:
        return Refusal(None, "no such piece")
    return box_body(box, now=not hidden and evening.played_game.may_rebox(first))


def _told(values: Mapping[str, Any]) -> dict[str, Value] | None:
    """The values, if they are words; None if not: a screen may send anything."""
    told: dict[str, Value] = {}
    for name, value in values.items():
        if isinstance(value, str):
            told[name] = value
        elif isinstance(value, list | tuple) and all(isinstance(word, str) for word in value):
            told[name] = tuple(value)
        else:
            return None
    return told


def alike(step: EnrolmentStep, other: EnrolmentStep) -> bool:
    """Whether both ask for the same kind of piece: in Lascaux, a card of the same animal."""
    return step.fields == other.fields and step.sort == other.sort


def _likely(steps: list[EnrolmentStep]) -> Answers:
    return {step.key: step.values for step in steps if step.fields}


def _is_unseen(evening: Evening, piece: Thing) -> bool:
    """Whether no player has seen its face: no open action has named it."""
    conceals = evening.game.conceals
    return not any(piece.id in named(action) for action in _said(evening) if conceals(action) is None)


def _may_be_hidden(evening: Evening, kind: str, pieces: Mapping[str, Thing]) -> bool:
    """Whether a player may have named a piece of this kind in secret: a change of the box could reveal which. What was
    really named makes no difference."""
    ids, game = {piece.id for piece in pieces.values() if piece.kind == kind}, evening.game
    secret = [played for played in evening.played_game.played if game.conceals(played.action) is not None]
    possible = (same_kind(game.offered(played.before), played.action) for played in secret)
    return any(ids & named(action) for actions in possible for action in actions)


def _said(evening: Evening) -> list[Any]:
    """The actions that count, and those that were corrected: they count again when the correction is undone."""
    played_game = evening.played_game
    return [*(played.action for played in played_game.played), *(wrong.action for wrong in played_game.corrections)]


def _box(data: Data, game: Game[Any, Any], gone: Thing, answers: Answers) -> str:
    """All other pieces keep their ids, because earlier actions name them."""
    made = enrolment_plan(game.name).box(data, answers)
    for name, entries in data.items():
        if isinstance(entries, list) and all(isinstance(entry, dict) for entry in entries):
            for index, entry in enumerate(entries):
                if entry.get("id") == gone.id:
                    taken = {str(other.get("id")) for other in entries}
                    new = {**made[name][index], "id": _free(str(made[name][index]["id"]), taken)}
                    return toml_text({**data, name: [*entries[:index], new, *entries[index + 1 :]]})
    raise AssertionError(gone)  # every piece that an enrolment asks about is an entry of the box


def _free(name: str, taken: set[str]) -> str:
    number = 1
    while (id_ := name if number == 1 else f"{name}-{number}") in taken:
        number += 1
    return id_
