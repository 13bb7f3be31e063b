"""What several pages have."""

from collections.abc import Iterable, Iterator

from hardware.circuits.bill import BillLine

HEAD = "<!-- Made by `python -m hardware.pages`: change that, and run it. -->\n"
NOT_BUILT = (
    "**This has not been built yet.** Volts are what [ngspice says](../proofs/figures.md) over all corners of supply, temperature "
    "and tolerance, rounded to the safe side. Please fill in [docs/acceptance.md](../../docs/acceptance.md) when you have measured them."
)
BUY = ("number", "part", "part number", "what does as well")
BUY_AND_PLACE = ("number", "part", "on the board", "part number", "what does as well")
MEASURE = ("measure", "between", "it should be")
WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
Row = tuple[object, ...]


def word(number: int) -> str:
    return WORDS[number] if number < len(WORDS) else str(number)


def table(head: tuple[str, ...], rows: Iterable[Row]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def shopping(lines: list[BillLine], times: int = 1) -> Iterator[Row]:
    for line in lines:
        yield line.count * times, line.value, _ordered(line), line.substitute


def shopping_and_places(lines: list[BillLine], times: int = 1) -> Iterator[Row]:
    """With the names that are printed on the board."""
    for line in lines:
        yield line.count * times, line.value, line.refs, _ordered(line), line.substitute


def _ordered(line: BillLine) -> str:
    return f"{line.maker} {line.number}".replace("(generic) ", "")


def indented(text: str, by: int = 3) -> str:
    return "\n".join(" " * by + line for line in text.splitlines())
