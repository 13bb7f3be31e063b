"""A mistake in `companion`: python -m tests.verbs.crashing companion.messages.client:RefereeLink.post -- resume

It fails there as soon as a secret choice has been sent, or is handed over there. The error's text and local variables
hold the secret.
"""

import sys
from importlib import import_module
from typing import Any

SECRET = "zzsecret"
armed = False


def fail_at(place: str) -> None:
    module, _, name = place.partition(":")
    owner: Any = import_module(module)
    *path, last = name.split(".")
    for part in path:
        owner = getattr(owner, part)
    original = getattr(owner, last)

    def failing(*what: Any, **how: Any) -> Any:
        chosen = f"{what!r} {how!r} {SECRET}"
        if armed or any(is_choice(each) for each in what):
            raise KeyError(f"nobody knows {chosen}, {SECRET}")
        return original(*what, **how)

    setattr(owner, last, failing)


def is_choice(thing: Any) -> bool:
    action = getattr(thing, "action", thing)
    return isinstance(action, dict) and action.get("do") == "choose"


def arm_when_chosen(owner: Any, name: str) -> None:
    """From the moment on that a choice goes through there."""
    original = getattr(owner, name)

    def watched(self: Any, message: Any, *others: Any) -> Any:
        global armed  # noqa: PLW0603 - a switch
        armed = armed or is_choice(message)
        return original(self, message, *others)

    setattr(owner, name, watched)


def main() -> int:
    from companion.cli import main as companion

    place, _, *words = sys.argv[1:]
    if words[0] == "table":
        arm_when_chosen(import_module("companion.referee.referee").Referee, "heed")
    else:
        arm_when_chosen(import_module("companion.messages.client").RefereeLink, "_send")
    fail_at(place)
    return companion(words)


if __name__ == "__main__":
    sys.exit(main())
