"""The console for faults: which table it speaks to, what it answers, and what it says when nothing is there."""

import asyncio
from pathlib import Path

import pytest

from companion.errors import LinkError
from companion.processes import fault_console
from companion.simulation.rig import Rig


def typed(monkeypatch: pytest.MonkeyPatch, folder: Path, *lines: str) -> None:
    """A user types these at `companion faults`, while a rig is there."""
    left = [f"{line}\n" for line in lines]
    monkeypatch.setattr(fault_console, "_typed", lambda: left.pop(0) if left else "")

    async def demo() -> None:
        async with (
            Rig("one", folder) as rig,
            fault_console.console(rig, folder / "x.faults", "lascaux with Anna, Ben, Cleo"),
        ):
            await asyncio.to_thread(fault_console.converse, folder)

    asyncio.run(demo())


def test_the_console_names_its_table_and_says_what_it_does_not_know(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, tmp_path, "centre gone", "CENTRE GONE", "", "centre well")
    greeting, *answers = capsys.readouterr().out.splitlines()
    assert greeting.startswith("lascaux with Anna, Ben, Cleo. What should happen?")
    assert (answers[0], answers[-1]) == ("done", "done")
    assert answers[1].startswith("Unknown command 'CENTRE GONE'. Available:")
    assert sum(line.startswith("Unknown command") for line in answers) == 1


def test_without_a_table_the_console_says_how_to_begin_one(tmp_path: Path) -> None:
    (tmp_path / "killed.faults").touch()
    with pytest.raises(LinkError, match="companion demo --drivers"):
        fault_console.converse(tmp_path)
