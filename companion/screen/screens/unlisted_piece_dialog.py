"""A piece that the box does not list: the dialog asks what is printed on it and adds it to the box."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from textual.app import App

from companion.gamekit.discovery import manifest
from companion.gamekit.enrolment import EnrolmentStep, Field, Value
from companion.gamekit.parts import enrolment_plan
from companion.gamekit.screen.controls import Words
from companion.gamekit.screen.face import Action, Choice, Menu, Sight
from companion.gamekit.screen.picker import Choices
from companion.language.screen_language import _
from companion.screen.enrolment.enrolment_words import Wording
from companion.screen.enrolment.piece_picker import Picker


class BoxTalk(Protocol):
    def enlist(self, step: str, values: Mapping[str, Value]) -> None: ...


def can_join(sight: Sight) -> bool:
    """Whether players name pieces themselves, and the game's enrolment asks what is printed on them."""
    simulated = any(player.simulated for player in sight.snapshot.players)
    asks = bool(manifest(sight.snapshot.game).enrolment) and not sight.over and bool(sight.persons)
    named = sight.snapshot.kit == "none" and not simulated and not sight.snapshot.deals
    return asks and named and bool(_kinds(sight))


def none_of_these(sight: Sight, actions: Sequence[Action]) -> Words | None:
    """The label of "none of these" below a list of pieces; None: no such button."""
    names = {"card", "tile"} & actions[0].keys()
    return (lambda: _("Not in this list")) if names and can_join(sight) else None


def _kinds(sight: Sight) -> list[EnrolmentStep]:
    """One step for each kind of printed piece: in Lascaux, a card of each animal."""
    kinds: dict[str, EnrolmentStep] = {}
    for step in enrolment_plan(sight.snapshot.game).steps(sight.snapshot.box, {}):
        if step.tagged and step.fields:
            kinds.setdefault(repr((step.sort, step.fields)), step)
    return list(kinds.values())


class Unlisted:
    """Leads through the fields. Esc changes nothing."""

    def __init__(self, app: App[None], sight: Sight, talk: BoxTalk) -> None:
        self._app, self._talk = app, talk
        self._kinds = _kinds(sight)
        self._words = Wording(sight.snapshot.game)

    def begin(self) -> None:
        if len(self._kinds) == 1:
            self._ask(self._kinds[0], {})
            return
        choices = [Choice(self._kind(step), step) for step in self._kinds]

        def chosen(step: EnrolmentStep | None) -> None:
            if step is not None:
                self._ask(step, {})

        self._app.push_screen(Choices(lambda: Menu(_("Not in this list: what is it?"), choices)), chosen)

    def _kind(self, step: EnrolmentStep) -> str:
        """The title without its number."""
        return self._words.title(step).removesuffix(str(step.facts.get("number", ""))).strip()

    def _ask(self, step: EnrolmentStep, told: dict[str, Value]) -> None:
        """Ask one field after the other, then add the piece."""
        missing = [field for field in step.fields if field.key not in told]
        if not missing:
            self._talk.enlist(step.key, told)
            return
        self._app.push_screen(
            Picker(self._words, missing[0], step.values[missing[0].key]), self._told(step, told, missing[0])
        )

    def _told(self, step: EnrolmentStep, told: dict[str, Value], field: Field) -> Callable[[Any], None]:
        def picked(value: Value | None) -> None:
            if value is not None:
                self._ask(step, {**told, field.key: value})

        return picked
