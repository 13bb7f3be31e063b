"""The pages for makers: made from the present sources, with pictures that are there, and no figure that was typed."""

import ast
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.cli import read
from companion.config import kit_table
from companion.devices.finding import Finding
from hardware import dimensions as d
from hardware.boxes import parameters as p
from hardware.harness import cables
from hardware.pages import estimates, full_kit, kit_one, laptop, ordering, prices, sources
from hardware.pages.every import BUILD, PAGES
from hardware.pages.sources import HARDWARE, Bound, bill, figures, joints, stickers
from hardware.perfboard import strip
from hardware.proofs import models

README = (HARDWARE / "README.md").read_text(encoding="utf-8")
PLAIN = " ".join(README.split())


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_was_made_from_the_present_sources(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == PAGES[path](), "run `python -m hardware.pages`"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_prose_is_wrapped_at_120_and_code_and_links_stay_whole(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    prose = [line for line in lines if not re.match(r"\s*(\||#|<|!\[)| {4}", line)]
    assert [line for line in prose if len(line) > 120] == []
    assert [line for line in prose if line.count("`") % 2] == []


@pytest.mark.parametrize("page", [HARDWARE / "README.md", *PAGES], ids=lambda path: path.stem)
def test_every_picture_and_every_page_that_is_named_is_there(page: Path) -> None:
    named = re.findall(r"\]\(([^)#:]+?)(?:#[\w-]+)?\)", page.read_text(encoding="utf-8"))
    assert len(named) > 2
    assert [name for name in named if not (page.parent / name).exists()] == []


# --- No figure is typed -----------------------------------------------------------------------------------------

NAMES = (
    *(r"NTAG213", r"PN532", r"ACR122U", r"RC522", r"KiCad 9", r"FR-4", r"1 oz"),
    *(r"3\.3 ?V(?! to)", r"(?<![\d.])5 V, last with all pads on", r"\b5 V at the Nano"),  # names of the rails
    *(r"^utf-8$", r"^[12]$"),  # how files are read; the name of a leg
    *(r"\bU1\b", r"\b3V3\b", r"\b5V\b", r"Steps \d to \d", r"leg 1\b", r"pad 0", r"build-it\.md#2-kit-one"),
    *(r"Copper,L[12]", r"Plated,1,2"),  # what Gerber files call their layers
)
"""Words with a digit in them."""
STEP = re.compile(r"^\d\. ", re.MULTILINE)


def written(tree: ast.AST) -> Iterator[str]:
    """Every text of a module that can get onto a page: no docstrings, no formats, no patterns."""
    documented = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    formats = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.FormattedValue) and node.format_spec
        for part in ast.walk(node.format_spec)
    }
    patterns = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and node.args and ast.unparse(node.func) in ("re.findall", "re.search", "_found")
        for part in ast.walk(node.args[0])
    }
    left_out = documented | formats | patterns
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in left_out:
            yield node.value


def typed(text: str) -> list[str]:
    """The figures of a text that are no names and no numbers of steps."""
    for name in NAMES:
        text = re.sub(name, "", text)
    return re.findall(r"\d[\d.,]*", STEP.sub("", text))


@pytest.mark.parametrize("module", [laptop, kit_one, full_kit, ordering, estimates], ids=lambda each: each.__name__)
def test_no_figure_of_a_page_is_typed(module: Any) -> None:
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    found = [(figure, text) for text in written(tree) for figure in typed(text)]
    assert found == []


def test_a_typed_figure_would_be_noticed() -> None:
    planted = 'def page():\n    """3 V."""\n    return f"1. Measure {volts:.2f} V, below 0.1 V"\n'
    assert [figure for text in written(ast.parse(planted)) for figure in typed(text)] == ["0.1"]


# --- A page parts from its source -------------------------------------------------------------------------------


def said(what: str) -> Callable[[], dict[str, Bound]]:
    """The simulation says something else of one thing."""
    now = figures()
    assert what in now
    return lambda: now | {what: now[what]._replace(value=now[what].value + 0.5)}


def another_regulator(kit: str) -> Any:
    lines = bill(kit)
    return [each._replace(number="AMS1117-3.3") if each.number.startswith("MCP1826S") else each for each in lines]


PLANTED: list[tuple[str, Any, str, Any]] = [
    ("kit-one", kit_one, "PI_SUPPLY", (3.0, 3.5)),
    ("kit-one", kit_one, "JUMPER_METRES", 0.3),
    ("kit-one", kit_one, "figures", said("reset and start: kit one: a button that is released")),
    ("kit-one", kit_one, "PI_LOW", 0.5),
    ("kit-one", kit_one, "figures", said("lamps and buzzer: lamp of kit one: current of a pin")),
    ("kit-one", kit_one, "KIT_ONE", {"green": 12, "red": 6, "lamp": 17}),
    ("kit-one", kit_one, "button_finding", lambda button, level: Finding.ok(button.colour, "fine")),
    ("kit-one", kit_one, "lying", lambda tags: "; a tag was seen"),
    ("kit-one", cables, "SOLDERED", ("lamp",)),
    ("kit-one", estimates, "JOINT_MIN", 9.0),
    ("laptop", laptop, "STICKER", 30.0),
    ("laptop", laptop, "SIGNS", {"problem": "TROUBLE"}),
    ("full-kit", full_kit, "bill", another_regulator),
    ("full-kit", full_kit, "CHARGER_AMPERE", 2.0),
    ("full-kit", full_kit, "SUPPLY_NAME", "any charger"),
    ("full-kit", full_kit, "SUPPLY", (4.5, 5.5)),
    ("full-kit", full_kit, "LONGEST", 2.0),
    ("full-kit", full_kit, "figures", said("supply: supply, five pads: 3.3 V at a reader")),
    ("full-kit", full_kit, "figures", said("supply: supply, five pads: what all of it takes")),
    ("full-kit", full_kit, "figures", said("buttons: any other line")),
    ("full-kit", full_kit, "figures", said("reset and start: SDA at a reader while the Nano is in reset")),
    ("full-kit", full_kit, "defined", lambda header, name: 7),
    ("full-kit", estimates, "PLUG_MIN", 30.0),
]


@pytest.mark.parametrize(
    ("name", "module", "source", "other"),
    PLANTED,
    ids=[f"{name}-{source}-{number}" for number, (name, _, source, _) in enumerate(PLANTED)],
)
def test_a_source_that_changes_is_noticed(
    name: str, module: Any, source: str, other: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The planted fault: a page is not the same any more when one of its sources says something else."""
    path = BUILD / f"{name}.md"
    monkeypatch.setattr(module, source, other)
    assert PAGES[path]() != path.read_text(encoding="utf-8")


def test_volts_are_rounded_to_the_safe_side() -> None:
    assert str(Bound(3.187, "V", at_least=True)) == "3.18 V"
    assert str(Bound(3.383, "V", at_least=False)) == "3.39 V"
    assert str(Bound(4.59, "V", at_least=True)) == "4.59 V"
    assert str(Bound(1e-5, "V", at_least=False)) == "0.01 V"


# --- What a maker is told to do ---------------------------------------------------------------------------------


def test_every_command_of_the_pages_is_understood() -> None:
    commands = {
        command
        for path in PAGES
        for command in re.findall(r"`(?:\.venv/bin/)?companion ([^`]+)`", path.read_text(encoding="utf-8"))
    }
    assert {"config --kit full --force", "doctor", "enroll GAME"} <= commands
    for command in sorted(commands):
        assert read(command.replace("GAME", "lascaux").split()).verb == command.split()[0]


def test_the_doctor_has_a_line_for_every_button_of_kit_one() -> None:
    lines = kit_one.doctor().splitlines()
    assert len(lines) == 1 + len(kit_table("one").buttons)
    assert all(line.startswith("ok ") for line in lines)


def test_stickers_are_counted_from_what_is_printed() -> None:
    assert [stickers(game) for game in ("lascaux", "sioux", "darwinci", "carnuta")] == [84, 56, 95, 84]


def test_a_button_has_four_joints_a_module_with_pins_none_and_a_wire_of_the_strip_one() -> None:
    parts = sources.netlist("kit-one").parts.values()
    soldered = {"RC522": 8, "SW": 4, "R": 2, "LED": 2, "BM": 0, "RaspberryPi": 0}
    on_strip = strip.leads(sources.netlist("kit-one"))
    assert joints("kit-one") == sum(soldered[part.kind.name] for part in parts) + len(on_strip)


# --- To a board house -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ordering.NUMBERS)
def test_the_ordering_page_counts_the_holes_of_the_drill_files(name: str) -> None:
    with zipfile.ZipFile(sources.BOARDS / name / f"{name}-gerber.zip") as packed:
        texts = [packed.read(each).decode() for each in packed.namelist() if each.endswith(".drl")]
    places = sum(line.startswith("X") for text in texts for line in text.splitlines())
    assert sum(ordering.order(name).holes.values()) == places
    assert ordering.order(name).holes[d.SCREW_HOLE] == len(d.PAD_HOLES)


# --- Pages that are written by hand -----------------------------------------------------------------------------


def test_the_comparison_of_kits_has_the_figures_of_the_circuits_and_boxes() -> None:
    soldering = next(line for line in README.splitlines() if line.startswith("| soldering |"))
    assert f"| {joints('kit-one')} joints |" in soldering
    assert f"{joints('satellite')} joints for the satellite, {joints('pad')} for each pad" in soldering
    assert f"is {p.ANTENNA_TO_PIECE:.1f} mm under the face of the lid" in PLAIN
    assert f"walls of {p.THINNEST} mm and more" in PLAIN
    assert f"Screws M{d.SCREW:g} × {p.SCREW_LENGTH:g} from below" in PLAIN
    assert f"and {p.PAD_TOP - p.BASE_BOTTOM:.0f} mm high" in PLAIN


def test_the_comparison_of_kits_has_the_times_of_the_estimates() -> None:
    times = next(line for line in README.splitlines() if line.startswith("| time |"))
    one = estimates.about(estimates.kit_one(len(kit_one.measures())))
    full = estimates.about(estimates.full_kit(len(full_kit.measures())))
    assert times.endswith(f"| {estimates.about(estimates.laptop())} | {one} | {full}, and kit one |")


def test_the_comparison_of_kits_has_the_prices_of_the_bills_and_their_date() -> None:
    assert prices.comparison() in README.splitlines()
    assert prices.DATED in prices.comparison()


def test_a_part_that_gets_dearer_and_one_without_a_price_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    before = prices.full_kit()
    monkeypatch.setitem(prices.PRICES, "A000005", prices.Price(50, 60))
    assert prices.full_kit().low - before.low == pytest.approx(29)
    monkeypatch.delitem(prices.PRICES, "A000005")
    with pytest.raises(KeyError):
        prices.full_kit()


def test_clones_are_cheaper_part_by_part() -> None:
    for number, price in prices.CLONES.items():
        named = {**prices.PRICES, **prices.CABLE_PRICES}[number]
        assert price.high < named.low
    assert str(prices.Price(51.2, 88.9)) == "50–90 €", "rounded outwards"


def test_the_first_measurements_have_the_figures_of_the_simulation() -> None:
    page = (HARDWARE.parent / "docs" / "acceptance.md").read_text(encoding="utf-8")
    rows = {line.split("|")[1].strip(): line for line in page.splitlines() if re.match(r"\| M\d+ \|", line)}
    assert list(rows) == [f"M{number}" for number in range(1, 13)]
    now = figures()
    for row, words in (
        ("M1", f"{models.SHORT_OHMS} Ω or more; the fuse less than {full_kit.OPEN_FUSE:g} Ω"),
        ("M2", f"{now['supply: supply, five pads: 5 V at the Nano']}".removesuffix(" V")),
        ("M3", f"{now['supply: supply, five pads: 3.3 V at a reader']} at the furthest reader"),
        ("M9", f"{now['presses: select of a pad while its buttons go down']} at most"),
        ("M11", f"{now['presses: RST of a reader, beside these edges']} or more"),
        ("M10", f"there {now['lines at 2000 kHz: MISO, from the falling clock to the ATmega'].value:.0f} ns"),
    ):
        assert words in rows[row], row


@pytest.mark.parametrize("name", ["laptop", "kit-one", "full-kit"])
def test_every_building_page_measures_ohms_before_volts(name: str) -> None:
    page = (BUILD / f"{name}.md").read_text(encoding="utf-8")
    first = page.index(f"{models.SHORT_OHMS} Ω or more")
    assert "hms first" in page
    assert first < page.index("Supply in" if name == "full-kit" else "switched on" if name == "kit-one" else "make usb")


def test_the_full_kits_page_has_the_figures_of_the_simulation() -> None:
    page = " ".join((HARDWARE / "full-kit.md").read_text(encoding="utf-8").split())
    now = figures()
    low, high = (now[f"lines at 2000 kHz: SCK, {end} at a reader"].value for end in ("lowest", "highest"))
    assert f"stay within −{-low:.2f} and {high:.2f} V" in page
    assert f"to {now['buttons: a button that is down, with its pad selected'].value:.2f} V at most" in page
    assert f"its select to {now['buttons: select of a pad with both buttons down'].value:.2f} V" in page
    assert f": {now['supply: supply, five pads: what all of it takes'].value:.2f} A in all" in page
    assert f"any other charger for {models.CHARGER_VOLT:g} V and {models.CHARGER_AMPERE:g} A" in page
    for source, pads in ((models.SUPPLY_NAME, "supply, five pads"), ("any other charger", "any charger, four pads")):
        row = next(line for line in (HARDWARE / "full-kit.md").read_text("utf-8").splitlines() if source in line)
        assert row.endswith(f"| {now[f'supply: {pads}: 5 V at the Nano']} |")
    lifted = now["presses: select of a pad while its buttons go down"]
    assert f"it stays below {lifted.value + 0.01:.2f} V" in page


def test_kit_ones_page_has_the_lamps_current() -> None:
    page = (HARDWARE / "kit-one.md").read_text(encoding="utf-8")
    low, high = (
        figures()[f"lamps and buzzer: lamp of kit one: {what}"].value
        for what in ("enough to be seen", "current of a pin")
    )
    assert f"The lamp takes {low:.1f} to {high:.1f} mA" in page
