"""What all pages of results have in common: their look, tables, and charts as SVG. A page loads nothing, so it can be
sent by mail, opened without a network and printed."""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from html import escape

from companion.language.facts import Translate
from companion.language.wording import Language, numeral, plain
from companion.people.persons import Person

STYLE = """
:root { color-scheme: light dark; --ink: #1d2530; --paper: #fff; --line: #8a94a3; --bar: #2c6e9b; --best: #a5541c }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8edf3; --paper: #14181e; --line: #76808e; --bar: #6fb1de; --best: #f0a868 }
}
body { margin: 0 auto; padding: 1rem; max-width: 44rem; font: 1.05rem/1.5 system-ui, sans-serif;
  color: var(--ink); background: var(--paper) }
table { border-collapse: collapse; width: 100% } .wide { overflow-x: auto }
th, td { padding: .35rem .6rem .35rem 0; text-align: left; border-bottom: 1px solid var(--line) }
th:last-child, td:last-child { padding-right: 0 }
.number { text-align: right; font-variant-numeric: tabular-nums } td.number { white-space: nowrap }
@media (max-width: 30rem) { table { font-size: .86rem } th, td { padding-right: .35rem } }
svg { display: block; width: 100%; max-width: 34rem; height: auto; margin: .8rem 0 }
.caption { margin: -.4rem 0 .8rem; font-size: .92rem }
svg text { font: 14px system-ui, sans-serif; fill: var(--ink) } rect { fill: var(--bar) } rect.won { fill: var(--best) }
polyline { fill: none; stroke: var(--bar); stroke-width: 2.5 }
a { color: inherit } a.button, button { display: inline-block; padding: .5rem .9rem; border: 2px solid currentColor;
  border-radius: .4rem; text-decoration: none; font: inherit; font-weight: 600; color: inherit; background: none }
form { display: flex; flex-wrap: wrap; gap: .6rem; align-items: end; margin: 1.2rem 0 } label { flex: 1 1 9rem }
select, input { display: block; box-sizing: border-box; width: 100%; min-height: 2.75rem; padding: .3rem; font: inherit;
  color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: .4rem }
@media print { a.button, .back, form { display: none } body { max-width: none } }
"""
BAR = 28
"""Pixels for a player in a chart."""
LABEL = 15
"""Letters of a name that fit beside its bar."""
CURVE_WIDTH, CURVE_HEIGHT, CURVE_MARGIN = 360, 160, 34


def page(title: str, code: str, sections: Iterable[str]) -> str:
    """The whole page, in this language."""
    body = "\n".join(sections)
    return (
        f'<!doctype html>\n<html lang="{escape(code)}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{escape(title)}</h1>\n{body}\n</main>\n</body>\n</html>\n"
    )


def listing(lines: Iterable[str]) -> str:
    """Sentences below each other; "" if there are none."""
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<ul>{items}</ul>" if items else ""


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], words: Sequence[int], links: Sequence[str] = ()) -> str:
    """Columns are numbers, but for those in `words`. `links`: where the first cell of each row leads."""

    def cell(tag: str, column: int, text: str, link: str = "") -> str:
        kind = "" if column in words else ' class="number"'
        scope = ' scope="col"' if tag == "th" else ""
        said = f'<a href="{escape(link)}">{escape(text)}</a>' if link else escape(text)
        return f"<{tag}{scope}{kind}>{said}</{tag}>"

    lines = ["".join(cell("th", column, text) for column, text in enumerate(heads))]
    for number, row in enumerate(rows):
        link = links[number] if links else ""
        lines.append("".join(cell("td", column, text, "" if column else link) for column, text in enumerate(row)))
    body = "\n".join(f"<tr>{line}</tr>" for line in lines)
    scrolls = f'<div class="wide" tabindex="0" role="group" aria-label="{escape(heads[words[0]])}">'  # also by keys
    return f"{scrolls}<table>\n{body}\n</table></div>"


# --- Charts ---------------------------------------------------------------------------------------------------


def chart(height: int, title: str, drawn: Iterable[str]) -> str:
    """The table beside it has the same numbers for those who cannot see it."""
    size = f"0 0 360 {height}"
    return f'<svg viewBox="{size}" role="img" aria-label="{escape(title)}">{"".join(drawn)}</svg>'


def shares(bars: Sequence[tuple[Person, float, float]], title: str) -> str:
    """Each person's share as a bar, with a line for another share."""
    drawn = []
    for place, (person, share, mark) in enumerate(bars):
        top, at = BAR * place, 125 + round(190 * mark)
        drawn.append(
            f"{_swatch(person, top + 14)}"
            f'<text x="18" y="{top + 19}">{escape(plain(person.label, LABEL))}</text>'
            f'<rect x="125" y="{top + 4}" width="{round(190 * share)}" height="20"/>'
            f'<path d="M{at} {top + 1}v26" stroke="currentColor" stroke-width="2"/>'
            f'<text x="325" y="{top + 19}">{round(100 * share)}</text>'
        )
    return captioned(chart(BAR * len(bars), title, drawn), title)


def _swatch(person: Person, middle: int) -> str:
    """Their colour, if browsers know one of that name."""
    if not re.fullmatch("[A-Za-z]{3,24}", person.colour):
        return ""
    return f'<circle cx="7" cy="{middle}" r="6" fill="{person.colour.lower()}" stroke="currentColor"/>'


def curve(values: Sequence[float], title: str) -> str:
    """Values one after the other, with the lowest and the highest at the side."""
    low, high = min(values), max(values)
    up, across = CURVE_HEIGHT - 24, CURVE_WIDTH - CURVE_MARGIN - 8
    points = " ".join(
        f"{CURVE_MARGIN + across * place / max(1, len(values) - 1):.1f},"
        f"{12 + up * (high - value) / (high - low or 1.0):.1f}"
        for place, value in enumerate(values)
    )
    ends = f'<text x="0" y="17">{high:.0f}</text><text x="0" y="{CURVE_HEIGHT - 7}">{low:.0f}</text>'
    return captioned(chart(CURVE_HEIGHT, title, (ends, f'<polyline points="{points}"/>')), title)


def captioned(drawn: str, title: str) -> str:
    """A chart with its title below it; the chart itself has said it to those who listen."""
    return f'{drawn}<p class="caption" aria-hidden="true">{escape(title)}</p>'


# --- Words ----------------------------------------------------------------------------------------------------


def day_words(at: float, _: Translate) -> str:
    """18 November 2026, of a moment in Unix time."""
    when = datetime.fromtimestamp(at, UTC).astimezone()
    months = (
        *(_("January"), _("February"), _("March"), _("April"), _("May"), _("June"), _("July"), _("August")),
        *(_("September"), _("October"), _("November"), _("December")),
    )
    return _("{day} {month} {year}", day=when.day, month=months[when.month - 1], year=str(when.year))


def clock(seconds: float) -> str:
    """Minutes and seconds, 12:05"""
    return f"{round(seconds) // 60}:{round(seconds) % 60:02}"


def decimal(number: float, language: Language) -> str:
    """2.5, with the decimal point of the language and a real minus."""
    _ = language.text
    return f"{number:.1f}".replace(".", _(".", "decimal point")).replace("-", "−")


def amount(number: float, language: Language) -> str:
    """3, or 2.5: for sentences."""
    return numeral(int(number)) if number == int(number) else decimal(number, language)
