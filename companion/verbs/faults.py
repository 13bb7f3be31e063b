"""`companion faults`: lets the simulated hardware of a demo go wrong, as somebody types it."""

from argparse import ArgumentParser, Namespace

from companion.processes.evenings import runtime_folder
from companion.processes.fault_console import converse


def arguments(parser: ArgumentParser) -> None:
    """Everything is typed into the console."""


def run(said: Namespace) -> int:
    """Raises LinkError."""
    return converse(runtime_folder())
