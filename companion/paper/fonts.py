"""The fonts on paper: Bitstream Vera, which comes with ReportLab, or DejaVu if a box needs more than Latin."""

from pathlib import Path

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError, TTFont

from companion.gamekit import plain

BROUGHT = ("Vera.ttf", "VeraBd.ttf")
"""Plain and bold; ReportLab finds them by their names."""
INSTALLED = Path("/usr/share/fonts/truetype/dejavu")
WIDER = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
"""The same letters, and those of most other languages: Debian's fonts-dejavu-core."""
CAPITAL = 0.73
"""How high a capital is, in sizes of the font."""
LONGEST = 200
UNKNOWN = "?"


class Letters:
    """Knows which characters it has, and how wide they are."""

    def __init__(self, plain_face: TTFont, bold_face: TTFont) -> None:
        self._faces = plain_face, bold_face
        for face in self._faces:
            pdfmetrics.registerFont(face)
        self.unknown: set[str] = set()
        """What was asked for and is not in the font."""

    def has(self, text: str) -> bool:
        return all(ord(char) in self._faces[0].face.charToGlyph for char in text)

    def printable(self, text: str) -> str:
        """Without control characters; a character that the font lacks is a question mark."""
        clean = plain(text, LONGEST)
        missing = {char for char in clean if not self.has(char)}
        self.unknown |= missing
        return "".join(UNKNOWN if char in missing else char for char in clean)

    def name(self, *, bold: bool) -> str:
        return str(self._faces[bold].fontName)

    @staticmethod
    def size(height: float) -> float:
        """Of a font whose capitals are so high."""
        return height / CAPITAL

    def fitting(self, text: str, height: float, width: float, *, bold: bool) -> float:
        """How high a capital may be for the text to fit this width."""
        wide = self._width(text, height, bold=bold)
        return height if wide <= width else height * width / wide

    def _width(self, text: str, height: float, *, bold: bool) -> float:
        return float(pdfmetrics.stringWidth(text, self.name(bold=bold), self.size(height)))


def letters_for(text: str) -> Letters:
    """The bundled font, unless the text has characters that only the other one has."""
    brought = _loaded(BROUGHT)
    if brought.has("".join(char for char in text if char.isprintable())):
        return brought
    try:
        return _loaded(tuple(str(INSTALLED / name) for name in WIDER))
    except TTFError:
        return brought


def _loaded(files: tuple[str, ...]) -> Letters:
    faces = [TTFont(f"Companion{Path(file).stem}", file) for file in files]
    return Letters(faces[0], faces[1])
