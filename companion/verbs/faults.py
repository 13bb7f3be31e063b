"""`companion faults`: a console that injects faults into the simulated hardware of a demo."""

from argparse import ArgumentParser, Namespace

from companion.processes.evenings import runtime_folder
from companion.processes.fault_console import converse

EXAMPLES = ("companion faults",)


def arguments(parser: ArgumentParser) -> None:
    """None: everything is typed into the console."""


def run(said: Namespace) -> int:
    """Raises LinkError."""
    return converse(runtime_folder())
