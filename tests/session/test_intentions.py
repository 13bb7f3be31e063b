"""One declaration makes an intention: the message with its senders, and one handler."""

from typing import Any, get_args, get_type_hints

import pytest

from companion.messages import intentions
from companion.messages.intentions import INQUIRIES, INTENTIONS, Act, Request, Sender, Undo, may_send
from companion.messages.protocol import FROM_SCREEN, ScreenHello
from companion.session.session import HANDLERS, handles
from companion.simulation.hands import Given
from companion.table.signals import Signal

KINDS: tuple[type[Request], ...] = (*INTENTIONS, *INQUIRIES)


def test_every_message_of_the_module_can_be_sent() -> None:
    """None is declared beside the two families, and the decoder reads all of them."""
    declared = {each for each in vars(intentions).values() if isinstance(each, type) and issubclass(each, Request)} - {
        Request,
        intentions.Intention,
        intentions.Inquiry,
        intentions.BotAct,  # the referee's own process makes it: no client may
    }
    assert declared == {*KINDS} == {*get_args(FROM_SCREEN)} - {ScreenHello}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_message_declares_its_senders(kind: type[Request]) -> None:
    assert "senders" in vars(kind), "say in the class itself who may send it"
    assert kind.senders
    assert {*kind.senders} <= {*get_args(Sender)}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_message_has_exactly_one_handler_and_that_takes_it(kind: type[Request]) -> None:
    first = next(iter(get_type_hints(HANDLERS[kind]).values()))
    assert first is kind
    with pytest.raises(AssertionError, match="has a handler already"):
        handles(kind)(lambda: None)


def test_nothing_is_handled_that_is_not_declared() -> None:
    assert {*HANDLERS} == {*KINDS}


def test_a_message_that_names_a_seat_and_may_come_from_a_phone_says_from_which() -> None:
    named = [kind for kind in KINDS if "phone" in kind.senders and "seat" in kind.__struct_fields__]
    assert named
    assert [kind for kind in named if "is_for" not in vars(kind)] == []


def test_simulated_hands_send_what_a_bot_may_send() -> None:
    said = {*get_args(Given)} - {*get_args(Signal)}
    assert said == {kind for kind in KINDS if "bot" in kind.senders} == {Act}


@pytest.mark.parametrize(
    ("sender", "seat", "allowed"),
    [("screen", None, True), ("phone", 1, True), ("phone", None, False), ("replay", None, False), ("bot", 1, False)],
)
def test_a_sender_may_send_what_names_it(sender: Any, seat: int | None, allowed: bool) -> None:
    assert may_send(Undo("x", 7), sender, seat) is allowed
