"""`companion faults`: lets the simulated hardware of a demo go wrong, as somebody types it."""

from argparse import ArgumentParser, Namespace

from companion.services.console import converse
from companion.services.evenings import runtime_folder


def arguments(parser: ArgumentParser) -> None:
    """Everything is typed into the console."""


def run(said: Namespace) -> int:
    """Raises LinkError."""
    return converse(runtime_folder())
