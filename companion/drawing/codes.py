"""A code that a phone's camera reads, drawn in half blocks."""

from textual.content import Content

from companion.messages.phones import Wifi

BORDER = 2
"""Light modules around it. The standard wants four; cameras are content with two, and a small screen has no more."""
INK = "#000000 on #ffffff"
_BLOCKS = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}


def code(text: str) -> Content:
    """Black on white in every theme. Nothing, where there is no library for it."""
    try:
        import segno  # noqa: PLC0415 - only a table with phones has it
    except ImportError:
        return Content("")
    made = segno.make(text, error="l", micro=False)
    matrix = [[bool(module) for module in row] for row in made.matrix_iter(border=BORDER)]
    if len(matrix) % 2:
        matrix.append([False] * len(matrix[0]))
    rows = [
        "".join(_BLOCKS[pair] for pair in zip(upper, lower, strict=True))
        for upper, lower in zip(matrix[::2], matrix[1::2], strict=True)
    ]
    return Content("\n").join([Content.styled(row, INK) for row in rows])


def wifi_code(wifi: Wifi) -> str:
    """What joins a network: the form that all cameras know."""
    kind = "WPA" if wifi.password else "nopass"
    return f"WIFI:T:{kind};S:{_escaped(wifi.name)};P:{_escaped(wifi.password)};;"


def _escaped(text: str) -> str:
    return "".join(f"\\{letter}" if letter in '\\;,":' else letter for letter in text)
