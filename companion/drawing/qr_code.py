"""QR codes: in half blocks for terminals and for the wall, and as SVG for pages."""

from functools import lru_cache
from io import BytesIO
from typing import Any

from textual.content import Content

BORDER = 2
"""Light modules around a code. The standard asks for four; cameras accept two, and a small screen has no more room."""
INK = "#000000 on #ffffff"
_BLOCKS = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}


@lru_cache(8)
def code_svg(text: str) -> bytes:
    """Black on white; b"" without the library for it."""
    drawn = BytesIO()
    if (made := _made(text)) is not None:
        made.save(drawn, kind="svg", border=BORDER, light="white", omitsize=True)
    return drawn.getvalue()


@lru_cache(8)
def code(text: str) -> Content:
    """Black on white in every theme. Empty without the library for it."""
    made = _made(text)
    if made is None:
        return Content("")
    matrix = [[bool(module) for module in row] for row in made.matrix_iter(border=BORDER)]
    if len(matrix) % 2:
        matrix.append([False] * len(matrix[0]))
    rows = [
        "".join(_BLOCKS[pair] for pair in zip(upper, lower, strict=True))
        for upper, lower in zip(matrix[::2], matrix[1::2], strict=True)
    ]
    return Content("\n").join([Content.styled(row, INK) for row in rows])


def _made(text: str) -> Any:
    """None without the library for it."""
    try:
        import segno  # noqa: PLC0415 - only a table with phones has it
    except ImportError:
        return None
    return segno.make(text, error="l", micro=False)
