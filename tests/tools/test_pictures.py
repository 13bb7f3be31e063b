"""The moving picture of README and the logo: what they are made of."""

import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tools import press, release
from tools.animated_svg import Drawn, Frame, animated, drawn

SVG = "{http://www.w3.org/2000/svg}"
ROUND = release.ROOT / "docs" / "pictures" / "round.svg"


def screen(*words: str) -> str:
    """As Textual gives it: a colour behind everything, and each word in a row of its own."""
    texts = "".join(
        f'<text class="terminal-1-r1" x="0" y="{24.4 * row:g}" textLength="61" clip-path="url(#l)">{word}</text>'
        for row, word in enumerate(words)
    )
    style = "<style>\n.terminal-1-r1 { fill: #ffffff;font-weight: bold }\n</style>"
    ground = '<rect fill="#121212" x="0" y="1.5" width="61" height="24.65" shape-rendering="crispEdges"/>'
    return f"<svg>{style}{ground}{texts}</svg>"


def test_a_picture_of_a_screen_is_read_word_by_word() -> None:
    assert drawn(screen("Anna", "&#160;")) == [
        Drawn(False, 0, 1.5, 61, "fill: #121212"),
        Drawn(True, 0, 0, 61, "fill: #ffffff;font-weight: bold", "Anna"),
    ]


def seen(svg: str) -> dict[str, list[float]]:
    """Word → the hundredths of the round at which it appears and disappears, in turn."""
    whole = ElementTree.fromstring(svg)
    style = whole.findtext(f"{SVG}style") or ""
    found = {}
    for group in whole.findall(f"{SVG}g"):
        for text in group.findall(f"{SVG}text"):
            steps = re.search(rf"@keyframes m{group.attrib['class'][1:]}{{(.*?}})}}", style)
            marks = re.findall(r"([\d.]+)%{opacity:(\d)}", steps[1]) if steps else []
            found[text.text or ""] = [float(at) for at, _ in marks]
    return found


def test_what_stays_is_written_once_and_what_changes_is_seen_in_its_time() -> None:
    frames = [Frame(screen("round 2", word), lasts_s) for word, lasts_s in (("Anna", 1), ("Ben", 1), ("Anna", 2))]
    svg = animated(frames, 1, (5, 2))
    assert svg.count("round 2") == svg.count("Anna") == 1
    assert seen(svg) == {"round 2": [], "Anna": [0, 25, 50], "Ben": [0, 25, 50]}
    still = re.findall(r"\.k\d+{opacity:(\d)", svg)
    assert sorted(still) == ["0", "1"]  # Ben is seen where nothing moves
    assert "animation:none" in svg


def test_the_picture_of_a_round_is_small_loads_nothing_and_ends_with_a_reveal() -> None:
    svg = ROUND.read_text(encoding="utf-8")
    assert len(svg) < 150_000
    assert re.findall(r"https?://[^\"]+", svg) == ["http://www.w3.org/2000/svg"]
    assert "Revealed" in svg


@pytest.mark.parametrize("name", press.LETTERS)
def test_the_logo_is_the_one_that_make_press_writes(name: str) -> None:
    text = (press.FOLDER / name).read_text(encoding="utf-8")
    assert text == press.logo(press.LETTERS[name])
    ElementTree.fromstring(text)


def test_the_press_file_has_every_picture_of_its_page_and_is_the_same_each_time(tmp_path: Path) -> None:
    one = press.packed(tmp_path)
    content = one.read_bytes()
    with zipfile.ZipFile(one) as archive:
        names = set(archive.namelist())
    assert {"README.md", "logo.svg", "companion.svg", *(path.name for path in press.pictures())} <= names
    assert len(press.pictures()) > 5
    assert press.packed(tmp_path).read_bytes() == content
