"""`make press`: for people who write about Companion, the logo in docs/press, and a zip file with all of that page.

The screenshots are those of `make pictures`.
"""

import re
import zipfile
from datetime import UTC, datetime
from pathlib import Path

from companion import __version__
from companion.gamekit.screen.letters import big
from tools import release

FOLDER = release.ROOT / "docs" / "press"
ICON = release.ROOT / "hardware" / "pi" / "companion.svg"
NAME = "COMPANION"
LETTERS = {"logo.svg": "#1c1917", "logo-on-dark.svg": "#f5f5f4"}
"""File → the colour of its letters."""
SIDE, GAP, PIXEL = 32, 8, 3
"""Of the icon; between it and the letters; of one square of a letter."""
UPPER, LOWER = "█▀", "█▄"


def logo(colour: str) -> str:
    """The icon, and the name in the big letters that a table's screen has."""
    rows = big(NAME)
    assert rows is not None, "a letter is missing"
    left, top = SIDE + GAP, (SIDE - 6 * PIXEL) // 2
    squares = [
        (left + column * PIXEL, top + (2 * row + half) * PIXEL)
        for row, line in enumerate(rows)
        for column, block in enumerate(line)
        for half, filled in enumerate((UPPER, LOWER))
        if block in filled
    ]
    path = "".join(f"M{x} {y}h{PIXEL}v{PIXEL}h-{PIXEL}z" for x, y in squares)
    icon = re.sub(r"^<svg[^>]*>|</svg>\s*$", "", ICON.read_text(encoding="utf-8").strip())
    width = left + len(rows[0]) * PIXEL
    letters = f'<path fill="{colour}" d="{path}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {SIDE}">{icon}{letters}</svg>\n'


def pictures() -> list[Path]:
    """Those that the page shows, in its order."""
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    return [(FOLDER / name).resolve() for name in re.findall(r"!\[[^\]]*\]\((\.\./pictures/[^)]+)\)", page)]


def packed(into: Path) -> Path:
    """The same bytes each time."""
    made = datetime.fromtimestamp(release.built_at(), UTC).timetuple()[:6]
    finished = into / f"companion-press-{__version__}.zip"
    with zipfile.ZipFile(finished, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in (*sorted(FOLDER.iterdir()), ICON, *pictures()):
            archive.writestr(zipfile.ZipInfo(path.name, made), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return finished


def main() -> None:
    for name, colour in LETTERS.items():
        (FOLDER / name).write_text(logo(colour), encoding="utf-8")
    release.DIST.mkdir(exist_ok=True)
    print(packed(release.DIST))


if __name__ == "__main__":
    main()
