"""`make pictures`: a page of each printed box as docs/pictures/paper.png. Needs pdftoppm (poppler-utils)."""

import subprocess
import tempfile
from pathlib import Path

from PIL import Image

from companion.cli import main as companion

TARGET = Path(__file__).parents[1] / "docs" / "pictures" / "paper.png"
PAGES = {"lascaux": 6, "sioux": 2, "darwinci": 7, "carnuta": 5}
"""Of each game, a page that shows something."""
WIDTH = 480


def main() -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        pages = [_page(game, number, Path(folder)) for game, number in PAGES.items()]
    whole = Image.new("RGB", (WIDTH * len(pages), max(page.height for page in pages)), "#888888")
    for place, page in enumerate(pages):
        whole.paste(page, (place * WIDTH, 0))
    whole.quantize(128).save(TARGET, optimize=True)
    print(TARGET)


def _page(game: str, number: int, folder: Path) -> Image.Image:
    pdf, picture = folder / f"{game}.pdf", folder / game
    companion(["print", game, "--language", "en", "-o", str(pdf)])
    only = ["-f", str(number), "-l", str(number), "-singlefile", "-scale-to-x", str(WIDTH), "-scale-to-y", "-1", "-png"]
    subprocess.run(["pdftoppm", *only, str(pdf), str(picture)], check=True)
    page = Image.open(picture.with_suffix(".png"))
    page.load()
    return page


if __name__ == "__main__":
    main()
