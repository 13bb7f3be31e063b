"""The hall's pages for phones and for the director: forms that work without scripts, in the reader's language."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from pathlib import Path

from msgspec import Struct

from companion.files import load as load_file
from companion.gamekit import discovery
from companion.gamekit.table_options import typed_value
from companion.hall.hall_state import (
    USUAL_MINUTES,
    HallState,
    HallTable,
    Night,
    NightOpened,
    NightRound,
    ResultReported,
)
from companion.hall.hall_texts import TableNote, decimal_text, note_line, points_text, reason_line
from companion.hall.standings import HallStanding, counted_results, league
from companion.language.facts import Translate
from companion.language.screen_language import LANGUAGES, load
from companion.language.wording import Language

FEW = 30
"""Tables, and lines of the standings, that a phone shows at first: thousands of them would be half a megabyte."""
SOONEST_S, LATEST_S = 5, 30
"""How often a phone looks for news. The more there are, the less often."""
PHONES_A_SECOND = 40
"""All of them together, at most, if there is one for each player and there are few enough of them."""
SCRIPT_BYTES = 64 * 1024

STYLE = """
:root { color-scheme: light dark; --ink: #1d2530; --paper: #fff; --line: #8a94a3; --best: #a5541c; --soft: #f1f3f6 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8edf3; --paper: #14181e; --line: #76808e; --best: #f0a868; --soft: #1f2630 }
}
body { margin: 0 auto; padding: 1rem; max-width: 54rem; font: 1.05rem/1.5 system-ui, sans-serif;
  color: var(--ink); background: var(--paper) }
table { border-collapse: collapse; width: 100% } caption { text-align: left; font-weight: 600; padding: 1.2rem 0 .3rem }
th, td { padding: .35rem .6rem .35rem 0; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top }
.number { text-align: right; font-variant-numeric: tabular-nums }
form { display: inline-block; margin: .2rem .6rem .2rem 0 }
button, input, select { font: inherit; min-height: 2.6rem; padding: .3rem .8rem; color: inherit;
  background: var(--soft); border: 2px solid var(--line); border-radius: .4rem }
button { font-weight: 600; cursor: pointer } input[type=number] { width: 6rem }
.note { padding: .5rem .8rem; border-left: .3rem solid var(--best); background: var(--soft) }
td form { margin: 0 } td:has(form) { padding: .2rem 0 } figure { margin: 1rem 0 } img { background: #fff }
.why { opacity: .85 } a { color: inherit }
@media (max-width: 30rem) {
  body { font-size: 1rem } th, td { padding-right: .3rem } th { font-size: .75rem } td { overflow-wrap: anywhere }
}
"""


class PageView(Struct, frozen=True):
    """What a page shows besides the hall's state."""

    state: HallState
    language: Language
    now: float
    note: str = ""
    """The answer to the last form."""
    table_code: str = ""
    """For the director alone."""
    table_notes: Mapping[str, Sequence[TableNote]] = {}
    """What is wrong at a table: its clock, a box that another one uses."""
    name: str = ""
    """Who this phone is."""
    standings: Sequence[HallStanding] = ()
    """Of the night that is open."""
    is_live: bool = False
    """Whether there is a display."""


def page(title: str, language: Language, sections: Iterable[str], path: str = "", seconds: int = 0) -> str:
    """`seconds`: how often it looks for news at `path`; 0: never. Without scripts it is loaded again."""
    body = "\n".join(sections)
    head, news, lost = "", "", ""
    if seconds:
        again = f'<noscript><meta http-equiv="refresh" content="{LATEST_S}"></noscript>'
        head = f'<script type="module" src="/refresh.js"></script>\n{again}\n'
        news = f' data-path="{escape(path)}" data-seconds="{seconds}"'
        said = escape(language.text("Connection lost. Reconnecting …"))
        lost = f'<p class="note" id="lost" role="status" hidden>{said}</p>\n'
    return (
        f'<!doctype html>\n<html lang="{escape(language.code)}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n"
        f'<link rel="stylesheet" href="/hall.css">\n{head}</head>\n<body>\n{lost}<main{news}>\n'
        f"<h1>{escape(title)}</h1>\n{body}\n</main>\n</body>\n</html>\n"
    )


def script() -> bytes:
    """What keeps these pages up to date."""
    return load_file(Path(__file__).with_name("page") / "refresh.js", SCRIPT_BYTES)


def _form(action: str, label: str, fields: str = "") -> str:
    return f'<form method="post" action="{action}">{fields}<button>{escape(label)}</button></form>'


def _hidden(name: str, value: str) -> str:
    return f'<input type="hidden" name="{name}" value="{escape(value)}">'


def _field(name: str, label: str, kind: str = "text", value: str = "", more: str = "") -> str:
    return f'<label>{escape(label)} <input name="{name}" type="{kind}" value="{escape(value)}" {more}></label> '


def _select(name: str, label: str, options: Iterable[tuple[str, str]], chosen: str = "") -> str:
    made = "".join(
        f'<option value="{escape(value)}"{" selected" if value == chosen else ""}>{escape(text)}</option>'
        for value, text in options
    )
    return f'<label>{escape(label)} <select name="{name}">{made}</select></label> '


def _table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Cells are HTML."""
    head = "".join(f'<th scope="col">{escape(each)}</th>' if each else "<td></td>" for each in heads)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _note(view: PageView) -> str:
    return f'<p class="note" role="status">{escape(view.note)}</p>' if view.note else ""


# --- What all pages show --------------------------------------------------------------------------------------


def clock_line(played: NightRound, now: float, _: Translate) -> str:
    if played.started_at is None:
        return _("Round {round} is seated. It has not started yet.", round=played.number)
    if played.ended_at is not None:
        return _("Round {round} is over.", round=played.number)
    left = max(0, round((played.ends_at - now) / 60))
    at = time.strftime("%H:%M", time.localtime(played.ends_at))
    return _("Round {round} ends at {time}, in {minutes:minute|minutes}.", round=played.number, time=at, minutes=left)


def seating_table(played: NightRound, language: Language, tables: Iterable[str] | None = None) -> str:
    """`tables`: only these."""
    _ = language.text
    rows = []
    for table in played.seats if tables is None else tables:
        names = played.seats[table]
        reason = reason_line(played.reasons[table], language) if table in played.reasons else ""
        rows.append((escape(table), escape(language.listed(names)), f'<span class="why">{escape(reason)}</span>'))
    if played.byes:
        reason = reason_line(played.reasons[""], language) if "" in played.reasons else ""
        rows.append(("–", escape(language.listed(played.byes)), f'<span class="why">{escape(reason)}</span>'))
    return _table(_("Round {round}", round=played.number), (_("Table"), _("Players"), _("Why")), rows)


def standings_table(lines: Sequence[HallStanding], title: str, language: Language) -> str:
    _ = language.text
    rows = [
        (
            f'<span class="number">{line.rank}</span>',
            escape(line.name),
            points_text(line.table_points, language),
            decimal_text(line.share, language),
            str(line.points),
            str(line.games),
        )
        for line in lines
    ]
    heads = (_("Rank"), _("Player"), _("Table points"), _("Share"), _("Points"), _("Games"))
    return _table(title, heads, rows)


# --- The phone page -------------------------------------------------------------------------------------------


def phone_page(view: PageView, *, whole: bool = False) -> str:
    """Sign in, and see where you sit. In a large hall it shows your own table and the first lines of the standings,
    unless the whole page is wanted."""
    _, night = view.language.text, view.state.night
    sections = [_note(view)]
    seconds, is_short = SOONEST_S, False
    if night is None:
        sections.append(f"<p>{escape(_('No club night is open right now.'))}</p>")
    else:
        sections += _own_lines(view, night)
        seconds = min(LATEST_S, max(SOONEST_S, len(night.players) // PHONES_A_SECOND))
        lines, tables = view.standings, list(night.round.seats) if night.round else []
        if not whole:
            lines = [line for place, line in enumerate(lines) if place < FEW or line.name == view.name]
            own = night.round.table_of(view.name) if night.round else ""
            tables = [table for place, table in enumerate(tables) if place < FEW or table == own]
        if night.round is not None:
            sections.append(f"<p>{escape(clock_line(night.round, view.now, _))}</p>")
            sections.append(seating_table(night.round, view.language, tables))
            is_short = len(tables) < len(night.round.seats)
        sections.append(standings_table(lines, _("Standings"), view.language))
        is_short = is_short or len(lines) < len(view.standings)
    if is_short:
        sections.append(_link("/?whole", _("All tables and players")))
    sections += _links(view)
    return page(view.state.club, view.language, sections, "/?whole" if whole else "/", seconds)


def _link(path: str, text: str) -> str:
    return f'<p><a href="{path}">{escape(text)}</a></p>'


def _links(view: PageView) -> Iterable[str]:
    _ = view.language.text
    if view.is_live:
        yield _link("/display", _("All tables, live"))
    yield _link("/league", _("League"))


def _own_lines(view: PageView, night: Night) -> Iterable[str]:
    _ = view.language.text
    if view.name not in night.present:
        yield _form("/sign-in", _("Sign in"), _field("name", _("Your name"), value=view.name, more="required"))
        return
    yield f"<p>{escape(_('You are signed in as {name}.', name=view.name))}</p>"
    newest = night.round
    if newest is not None and newest.ended_at is None:
        if table := newest.table_of(view.name):
            yield f"<h2>{escape(_('You play at table {table}.', table=table))}</h2>"
        elif view.name in newest.byes:
            yield f"<h2>{escape(_('You sit out this round.'))}</h2>"
        else:
            yield f"<p>{escape(_('You will be seated in the next round.'))}</p>"
    yield _form("/sign-out", _("Go home"))


def league_page(view: PageView, nights: Sequence[Night], who: Callable[[str], str] = str) -> str:
    """The standings of several nights, month by month and together."""
    _ = view.language.text
    months: dict[str, list[Night]] = {}
    for night in nights:
        months.setdefault(time.strftime("%Y-%m", time.localtime(night.begun_at)), []).append(night)
    whole = _("All nights ({nights})", nights=len(nights))
    sections = [standings_table(league(view.state, nights, who), whole, view.language)] if nights else []
    for month, some in sorted(months.items(), reverse=True):
        title = _("{month} ({nights:night|nights})", month=month, nights=len(some))
        sections.append(standings_table(league(view.state, some, who), title, view.language))
    if not nights:
        sections.append(f"<p>{escape(_('No night has been played yet.'))}</p>")
    return page(_("League of {club}", club=view.state.club), view.language, sections)


# --- The director's page --------------------------------------------------------------------------------------


def director_page(view: PageView) -> str:
    _, night = view.language.text, view.state.night
    sections = [_note(view)]
    if night is None:
        sections += _opening(view)
    else:
        sections += _round_section(view, night)
        sections.append(standings_table(view.standings, _("Standings"), view.language))
        sections += _players_section(view, night)
    sections += _tables_section(view)
    sections += _code_section(view)
    sections += _links(view)
    if night is not None:
        sections.append(_form("/director/close", _("Close the night")))
    return page(_("{club}: director", club=view.state.club), view.language, sections, "/director", SOONEST_S)


def _opening(view: PageView) -> Iterable[str]:
    _ = view.language.text
    games = [(name, discovery.title(name)) for name in discovery.names()]
    newest = view.state.nights[-1].plan if view.state.nights else None
    yield f"<h2>{escape(_('Open a night'))}</h2>"
    minutes = newest.minutes if newest else USUAL_MINUTES
    fields = _select("game", _("Game"), games, newest.game if newest else "")
    fields += _field("minutes", _("Minutes of a round"), "number", str(minutes), 'min="1"')
    fields += _field("option", _("Table options"), value=_options_text(newest))
    fields += _check("top_table", _("The leaders play at a top table"))
    fields += _check("plain_points", _("Rank ties by plain points"))
    yield _form("/director/open", _("Open the night"), fields)


def _options_text(plan: NightOpened | None) -> str:
    """As they are typed: last_card=at_once"""
    return " ".join(f"{name}={typed_value(value)}" for name, value in plan.options.items()) if plan else ""


def _check(name: str, label: str) -> str:
    return f'<label><input type="checkbox" name="{name}" value="1"> {escape(label)}</label> '


def _round_section(view: PageView, night: Night) -> Iterable[str]:
    _, newest = view.language.text, night.round
    if newest is None or newest.ended_at is not None:
        if newest is not None:
            yield f"<p>{escape(clock_line(newest, view.now, _))}</p>"
            yield _results_table(view, night, newest)
        yield _form("/director/seat", _("Seat round {round}", round=night.next_round))
        return
    yield f"<p>{escape(clock_line(newest, view.now, _))}</p>"
    yield seating_table(newest, view.language)
    if newest.started_at is None:
        names = [(name, name) for group in (*newest.seats.values(), newest.byes) for name in group]
        yield _form("/director/start", _("Start round {round}", round=newest.number))
        yield _form("/director/seat", _("Seat it again"))
        fields = _select("one", _("Swap"), names) + _select("other", _("with"), names)
        yield _form("/director/swap", _("Swap"), fields)
    else:
        yield _results_table(view, night, newest)
        yield _form("/director/end", _("End round {round}", round=newest.number))
        yield _form("/director/clock", _("Set the clock"), _field("minutes", _("Minutes left"), "number", "10"))


def _results_table(view: PageView, night: Night, played: NightRound) -> str:
    _ = view.language.text
    found = {each.table: each for each in counted_results(view.state, night) if each.round == played.number}
    rows = []
    for table, names in played.seats.items():
        told = _told(found[table]) if table in found else escape(_("still playing"))
        scores = "".join(_field("score", name, "number", more="required") for name in names)
        entry = _form("/director/result", _("Enter"), _hidden("table", table) + scores)
        rows.append((escape(table), told, f"<details><summary>{escape(_('Enter by hand'))}</summary>{entry}</details>"))
    return _table(_("Results"), (_("Table"), _("Result"), ""), rows)


def _told(result: ResultReported) -> str:
    ranked = sorted(result.seats, key=lambda seat: seat.rank)
    return escape(", ".join(f"{seat.rank}. {seat.name} {seat.score}" for seat in ranked))


def _players_section(view: PageView, night: Night) -> Iterable[str]:
    _ = view.language.text
    rows = []
    for player in night.players.values():
        if player.is_here:
            action = _form("/director/sign-out", _("Goes home"), _hidden("name", player.name))
        else:
            action = _form("/director/sign-in", _("Is back"), _hidden("name", player.name))
        late = _("since round {round}", round=player.arrived_in) if player.arrived_in > 1 else ""
        rows.append((escape(player.name), escape(late), action))
    here = _("{count:player is|players are} here", count=len(night.present))
    yield _table(here, (_("Player"), "", ""), rows)
    yield _form("/director/sign-in", _("Sign in"), _field("name", _("Name"), more="required"))


def _tables_section(view: PageView) -> Iterable[str]:
    _ = view.language.text
    rows = [_table_row(view, table) for table in view.state.tables.values()]
    yield _table(_("Tables"), (_("Table"), "", ""), rows)
    yield f"<p>{escape(_('Code for new tables: {code}', code=view.table_code))}</p>"
    yield _form("/director/add-table", _("Add a table without Companion"), _field("table", _("Name")))


def _code_section(view: PageView) -> Iterable[str]:
    _ = view.language.text
    text = _("Phones sign in with this code")
    image = '<img src="/players.svg" alt="" width="180" height="180">'
    yield f"<figure>{image}<figcaption>{escape(text)}</figcaption></figure>"


def _table_row(view: PageView, table: HallTable) -> Sequence[str]:
    _ = view.language.text
    notes = view.table_notes.get(table.name, ())
    note = note_line(notes, view.language) if table.credential else _("without Companion")
    return escape(table.name), escape(note), _form("/director/remove-table", _("Remove"), _hidden("table", table.name))


def language_of(accepted: str) -> Language:
    """The reader's language, from the header of a browser."""
    for part in accepted.split(",")[:8]:
        code = part.strip()[:2].lower()
        if code in LANGUAGES:
            return load(code)
    return load(LANGUAGES[0])
