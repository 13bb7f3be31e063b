"""Packages whose game cannot be played are listed with the reason and with what to do."""

import json
from pathlib import Path

import pytest

from tests.ours import GAMES
from tests.strangers import announce, run_in


def looked(folder: Path) -> dict[str, dict[str, str]]:
    """What the doctor says about games, where the packages of this folder are installed."""
    said = run_in(folder, "-m", "companion", "doctor", "--json", "--root", str(folder / "root"))
    found = json.loads(said)["findings"]
    return {finding["subject"]: finding for finding in found if finding["subject"].startswith("game")}


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import there_is_no_such_module", "No module named 'there_is_no_such_module'"),
        ("MANIFEST = {'name': 'odd', 'api': 99, 'rules': 'odd.rules:GAME'}", "api 99"),
        ("MANIFEST = {'name': 'lascaux', 'api': 1, 'rules': 'odd.rules:GAME'}", "taken by companion-table"),
        ("MANIFEST = {'name': 'odd', 'api': 1, 'rules': 'odd.rules:GAME'}", "No module named 'odd.rules'"),
        ("raise SystemExit(3)", "SystemExit"),
    ],
)
def test_a_package_that_cannot_be_played_is_listed_and_all_others_can(tmp_path: Path, source: str, reason: str) -> None:
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "__init__.py").write_text(source)
    announce(tmp_path, "odd", "odd")
    found = looked(tmp_path)
    assert reason in found["game odd"]["words"]
    assert found["game odd"]["verdict"] == "check"
    assert "pip uninstall companion-odd" in found["game odd"]["advice"]
    assert found["games"]["words"] == f"{', '.join(GAMES)} can be played"


def test_without_strangers_there_is_nothing_to_do(tmp_path: Path) -> None:
    assert [finding["verdict"] for finding in looked(tmp_path).values()] == ["ok"]
