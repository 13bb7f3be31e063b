"""The analysis of a finished game in words and as a picture: chances as curves, turning points, and each player's
decisions. All texts are in the language of this screen."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from html import escape
from typing import Any, NamedTuple

from companion.drawing.dialog_texts import gains_words
from companion.gamekit.game import Ruling, Seat
from companion.gamekit.parts import texts_of
from companion.gamekit.screen.face_discovery import find_face
from companion.language.screen_language import _, language, load, spoken
from companion.language.wording import plain, say
from companion.people.game_analysis import Alternative, GameAnalysis, JudgedDecision, around, gains
from companion.session.bot_thoughts import considered
from companion.session.played_game import PlayedGame

SPARKS = "▁▂▃▄▅▆▇█"
SPARK_WIDTH = 36
MOST_DECISIONS = 5
"""How many decisions of a player are listed: those that cost most."""
COLOURS = ("#2c6e9b", "#a5541c", "#3d7a3a", "#7a4a8a", "#8a6d1c", "#555")
WIDTH, HEIGHT, MARGIN = 640, 280, 40


class Section(NamedTuple):
    title: str
    lines: list[str]


def report(analysis: GameAnalysis, played: PlayedGame, player: Seat | None = None) -> Iterator[str]:
    """The analysis, line by line, with the decisions that cost most. `player`: only this one's decisions."""
    return _lines(sections(analysis, played, player, most=MOST_DECISIONS))


def whole_report(analysis: GameAnalysis, played: PlayedGame) -> Iterator[str]:
    """The same with every decision."""
    return _lines(sections(analysis, played))


def _lines(parts: Iterable[Section]) -> Iterator[str]:
    for number, part in enumerate(parts):
        yield from ("",) * bool(number)
        yield part.title
        yield from (f"  {line}" for line in part.lines)


def sections(
    analysis: GameAnalysis, played: PlayedGame, player: Seat | None = None, *, most: int | None = None
) -> Iterator[Section]:
    """The curves, the turning points, and each player's decisions. `most`: no more decisions than this, and only those
    where something else was clearly better."""
    names = played.header.players
    yield Section(_("Chances to win, from the first action to the last"), list(_curves(analysis, names)))
    turns = [
        f"{_moment(step, played)}: {_said(step, played)} ({_changes(analysis, step, names)})"
        for step in analysis.turning_points
    ]
    yield Section(_("Where the chances changed most"), turns)
    judged = {each.seat for each in analysis.decisions}
    for seat in sorted(judged) if player is None else (player,):
        yield _decisions(analysis, played, seat, most)


def _curves(analysis: GameAnalysis, names: Sequence[str]) -> Iterator[str]:
    widest = max(map(len, names))
    for seat, name in enumerate(names):
        curve = [chances[seat] for chances in analysis.chances]
        yield f"{name:{widest}}  {_sparks(curve)}  {round(100 * curve[0]):3} % → {round(100 * curve[-1])} %"


def _sparks(curve: Sequence[float]) -> str:
    """A curve from 0 to 1, one letter for several steps."""
    width = min(SPARK_WIDTH, len(curve))
    shown = [curve[round(place * (len(curve) - 1) / max(1, width - 1))] for place in range(width)]
    return "".join(SPARKS[min(len(SPARKS) - 1, int(each * len(SPARKS)))] for each in shown)


def _moment(step: int, played: PlayedGame) -> str:
    return _("Action {number} of {count}", number=step, count=len(played.played))


def _changes(analysis: GameAnalysis, step: int, names: Sequence[str]) -> str:
    before, after = around(analysis.chances, step)
    changes = [
        f"{name} {round(100 * then)} → {round(100 * now)} %"
        for name, then, now in zip(names, before, after, strict=True)
        if round(100 * then) != round(100 * now)
    ]
    return ", ".join(changes)


def _said(step: int, played: PlayedGame) -> str:
    """What was ruled then."""
    return "; ".join(_sentence(ruling, played) for ruling in played.played[step - 1].rulings[:2])


def _sentence(ruling: Ruling, played: PlayedGame) -> str:
    """In the game's words."""
    game = played.game
    words = load(spoken(), texts_of(game.name).folder)
    return say(ruling, game.sentences, played.header.players, words, partial(game.word, played.setup.box))


def _decisions(analysis: GameAnalysis, played: PlayedGame, seat: Seat, most: int | None) -> Section:
    own = [each for each in analysis.decisions if each.seat == seat]
    clear = sorted((each for each in own if each.is_clear), key=lambda each: -each.cost)
    title = _(
        "{name}: {count:decision|decisions}; in {better} of them something else was clearly better",
        name=played.header.players[seat],
        count=len(own),
        better=len(clear),
    )
    shown = own if most is None else sorted(clear[:most], key=lambda decision: decision.step)
    return Section(title, [f"{_moment(each.step + 1, played)}: {_compared(each, played)}" for each in shown])


def _compared(decision: JudgedDecision, played: PlayedGame) -> str:
    facts: dict[str, str | int] = {
        "done": _in_words(decision.done, decision.step, played),
        "worth": round(100 * decision.done.worth),
        "other": _in_words(decision.other, decision.step, played),
        "other_worth": round(100 * decision.other.worth),
    }
    if not decision.is_clear:
        return _("{done} ({worth} %); the best alternative: {other} ({other_worth} %).", **facts)
    words = _("{done} ({worth} %); better: {other} ({other_worth} %)", **facts)
    more = gains_words(find_face(played.game.name), gains(decision.done, decision.other))
    return f"{words}. {more}" if more else f"{words}."


def _in_words(alternative: Alternative, step: int, played: PlayedGame) -> str:
    """In the game's words: its sentence, or for a secret choice what its button says."""
    said = considered(played.game, played.played[step].before, alternative.action, alternative.worth)
    return _sentence(said.said, played) if said and said.said else action_words(alternative.action, played)


def action_words(data: dict[str, Any], played: PlayedGame) -> str:
    """An action as its button says it, and what was chosen."""
    texts = texts_of(played.game.name)
    labels = [command.label for command in find_face(played.game.name).commands() if command.is_for(data)]
    label = labels[0] if labels else texts.text(str(data["do"]))
    values = [
        _value(name, value, played) for name, value in data.items() if name not in ("do", "seat") and value is not None
    ]
    return plain(f"{label}: {', '.join(values)}" if values else label, 200)


def _value(name: str, value: Any, played: PlayedGame) -> str:
    if isinstance(value, list | tuple):
        return language().listed([_value(name, each, played) for each in value])
    if isinstance(value, dict):
        return " ".join(_value(field, each, played) for field, each in value.items())
    if isinstance(value, int) and name.startswith("seat"):
        return played.header.players[value]
    word = played.game.word(played.setup.box, name, value, texts_of(played.game.name).text)
    return str(value if word is None else word)


def picture(analysis: GameAnalysis, played: PlayedGame) -> str:
    """The curves as SVG, with a line at each turning point."""
    title = escape(_("Chances to win, from the first action to the last"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">\n'
        f"<title>{title}</title>\n<style>text {{ font: 14px system-ui, sans-serif; fill: #1d2530 }}</style>\n"
        f'<rect width="100%" height="100%" fill="#fff"/>\n<g color="#1d2530">\n'
        f'<text x="{MARGIN}" y="26">{title}</text>\n{_drawn(analysis, played)}\n</g>\n</svg>\n'
    )


def figure(analysis: GameAnalysis, played: PlayedGame) -> str:
    """The same for a page, in the colours of its text."""
    title = escape(_("Chances to win, from the first action to the last"))
    view = f"0 {MARGIN - 10} {WIDTH} {HEIGHT - MARGIN + 10}"
    return f'<svg viewBox="{view}" role="img" aria-label="{title}">{_drawn(analysis, played)}</svg>'


def _drawn(analysis: GameAnalysis, played: PlayedGame) -> str:
    names, steps = played.header.players, max(1, len(analysis.chances) - 1)
    across, up = WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN
    drawn = [f'<path d="M{MARGIN} {MARGIN}v{up}h{across}" fill="none" stroke="currentColor"/>']
    drawn += [
        f'<path d="M{MARGIN + across * step / steps:.1f} {MARGIN}v{up}" stroke="#999" stroke-dasharray="4 4"/>'
        for step in analysis.turning_points
    ]
    for seat, name in enumerate(names):
        points = "L".join(
            f"{MARGIN + across * step / steps:.1f},{HEIGHT - MARGIN - up * chances[seat]:.1f}"
            for step, chances in enumerate(analysis.chances)
        )
        colour = COLOURS[seat % len(COLOURS)]
        drawn.append(f'<path d="M{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        x, y = MARGIN + across * seat / len(names), HEIGHT - 12
        drawn.append(f'<circle cx="{x + 5:.0f}" cy="{y - 5}" r="5" fill="{colour}"/>')
        drawn.append(f'<text x="{x + 16:.0f}" y="{y}">{escape(name)}</text>')
    return "\n".join(drawn)
