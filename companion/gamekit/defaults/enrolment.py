"""An enrolment for a game that brings none: it asks for the tag of each piece, and for nothing else."""

from functools import partial
from typing import Any

import tomli_w

from companion.gamekit.enrolment import Answers, Data, EnrolmentPlan, EnrolmentStep, piece_steps
from companion.gamekit.game import Game


def plain_plan(game: Game[Any, Any]) -> EnrolmentPlan:
    return EnrolmentPlan(steps=partial(_steps, game), box=_box)


def _steps(game: Game[Any, Any], base: Data, answers: Answers) -> list[EnrolmentStep]:
    return piece_steps(game.pieces(game.parse_box(tomli_w.dumps(base), "the box that is being enrolled")))


def _box(base: Data, answers: Answers) -> Data:
    """As it was: nothing printed was asked for. From now on it is the owner's."""
    return {**base, "provenance": "enrolled"} if "provenance" in base else base
