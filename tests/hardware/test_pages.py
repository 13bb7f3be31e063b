"""The pages for makers: made from the present sources, with pictures that are there, and figures that are true."""

import re
from pathlib import Path

import pytest

from hardware import pages
from hardware.boxes import parameters as p
from hardware.pages import BUILD, HERE, PAGES, bill, figures, joints, stickers

README = (HERE / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_was_made_from_the_present_sources(name) -> None:
    assert (BUILD / f"{name}.md").read_text(encoding="utf-8") == PAGES[name](), "run `python -m hardware.pages`"


@pytest.mark.parametrize(
    "page", [HERE / "README.md", *(BUILD / f"{name}.md" for name in PAGES)], ids=lambda path: path.stem
)
def test_every_picture_and_every_page_that_is_named_is_there(page: Path) -> None:
    named = re.findall(r"\]\(([^)#:]+?)(?:#[\w-]+)?\)", page.read_text(encoding="utf-8"))
    assert len(named) > 3
    assert [name for name in named if not (page.parent / name).exists()] == []


def test_the_comparison_of_kits_has_the_figures_of_the_circuits_and_boxes() -> None:
    soldering = next(line for line in README.splitlines() if line.startswith("| soldering |"))
    assert f"| {joints('kit-one')} joints |" in soldering
    assert f"{joints('satellite')} joints for the satellite, {joints('pad')} for each pad" in soldering
    assert f"is {p.ANTENNA_TO_PIECE:.1f} mm under the face of the lid" in README
    assert f"walls of {p.THINNEST} mm and more" in README
    assert f"Screws M3 × {p.SCREW_LENGTH:g} from below" in README
    assert f"and {p.PAD_TOP - p.BASE_BOTTOM:.0f} mm high" in README


def test_a_wrong_part_or_another_volt_would_be_noticed(monkeypatch) -> None:
    """The planted fault: a page is not the same any more when its sources change."""
    written = (BUILD / "full-kit.md").read_text(encoding="utf-8")
    other = [
        line._replace(number="AMS1117-3.3") if line.number.startswith("MCP1826S") else line
        for line in bill("satellite")
    ]
    with monkeypatch.context() as planted:
        planted.setattr(pages, "bill", lambda kit: other if kit == "satellite" else bill(kit))
        assert PAGES["full-kit"]() != written
    said = {what: ("3 V" if "3.3 V at a reader" in what else worst) for what, worst in figures().items()}
    with monkeypatch.context() as planted:
        planted.setattr(pages, "figures", lambda: said)
        assert PAGES["full-kit"]() != written


def test_stickers_are_counted_from_what_is_printed() -> None:
    assert [stickers(game) for game in ("lascaux", "sioux", "darwinci", "carnuta")] == [84, 56, 95, 84]
