"""The analysis of a finished game in words and as a picture: chances as curves, turning points, and each player's
decisions. All texts are in the language of this screen."""

from collections.abc import Iterator, Sequence
from functools import partial
from html import escape
from typing import Any

import msgspec

from companion.gamekit.game import Seat
from companion.gamekit.parts import texts_of
from companion.gamekit.screen.face_discovery import find_face
from companion.language.screen_language import _, language, load, spoken
from companion.language.wording import plain, say
from companion.session.game_analysis import GameAnalysis, JudgedDecision
from companion.session.played_game import PlayedGame

SPARKS = "▁▂▃▄▅▆▇█"
SPARK_WIDTH = 60
MOST_DECISIONS = 5
"""How many decisions of a player are listed: those that cost most."""
COLOURS = ("#2c6e9b", "#a5541c", "#3d7a3a", "#7a4a8a", "#8a6d1c", "#555")
WIDTH, HEIGHT, MARGIN = 640, 280, 40


def report(analysis: GameAnalysis, played: PlayedGame, player: Seat | None = None) -> Iterator[str]:
    """The analysis, line by line. `player`: only this one's decisions."""
    names = played.header.players
    yield _("Chances to win, from the first action to the last")
    widest = max(map(len, names))
    for seat, name in enumerate(names):
        curve = [chances[seat] for chances in analysis.chances]
        yield f"  {name:{widest}}  {_sparks(curve)}  {round(100 * curve[0]):3} % → {round(100 * curve[-1])} %"
    yield ""
    yield _("Where it turned")
    for step in analysis.turning_points:
        yield f"  {_moment(step, played)}: {_said(step, played)}"
        yield f"      {_changes(analysis, step, names)}"
    for seat in range(len(names)) if player is None else (player,):
        yield ""
        yield from _decisions(analysis, played, seat)


def _sparks(curve: Sequence[float]) -> str:
    """A curve from 0 to 1, one letter for several steps."""
    width = min(SPARK_WIDTH, len(curve))
    shown = [curve[round(place * (len(curve) - 1) / max(1, width - 1))] for place in range(width)]
    return "".join(SPARKS[min(len(SPARKS) - 1, int(each * len(SPARKS)))] for each in shown)


def _moment(step: int, played: PlayedGame) -> str:
    return _("Action {number} of {count}", number=step, count=len(played.played))


def _changes(analysis: GameAnalysis, step: int, names: Sequence[str]) -> str:
    before, after = analysis.chances[step - 1], analysis.chances[step]
    changes = [
        f"{name} {round(100 * then)} → {round(100 * now)} %"
        for name, then, now in zip(names, before, after, strict=True)
        if round(100 * then) != round(100 * now)
    ]
    return ", ".join(changes)


def _said(step: int, played: PlayedGame) -> str:
    """What was ruled then, in the game's words."""
    game = played.game
    words = load(spoken(), texts_of(game.name).folder)
    rulings = played.played[step - 1].rulings
    naming = partial(game.word, played.setup.box)
    said = [say(ruling, game.sentences, played.header.players, words, naming) for ruling in rulings]
    return "; ".join(said[:2])


def _decisions(analysis: GameAnalysis, played: PlayedGame, seat: Seat) -> Iterator[str]:
    name = played.header.players[seat]
    own = [each for each in analysis.decisions if each.seat == seat]
    clear = sorted((each for each in own if each.is_clear), key=lambda each: -each.cost)
    yield _(
        "{name}: {count:decision|decisions}; in {better} of them something else looked clearly better",
        name=name,
        count=len(own),
        better=len(clear),
    )
    for each in sorted(clear[:MOST_DECISIONS], key=lambda decision: decision.step):
        yield f"  {_moment(each.step + 1, played)}: {_compared(each, played)}"


def _compared(decision: JudgedDecision, played: PlayedGame) -> str:
    return _(
        "{done} ({worth} %); better: {best} ({best_worth} %)",
        done=action_words(decision.done.action, played),
        worth=round(100 * decision.done.worth),
        best=action_words(decision.best.action, played),
        best_worth=round(100 * decision.best.worth),
    )


def action_words(action: Any, played: PlayedGame) -> str:
    """An action as its button says it, and what was chosen."""
    data = msgspec.to_builtins(action)
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
    names, steps = played.header.players, max(1, len(analysis.chances) - 1)
    across, up = WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN
    title = _("Chances to win, from the first action to the last")
    drawn = [
        f'<path d="M{MARGIN + across * step / steps:.1f} {MARGIN}v{up}" stroke="#999" stroke-dasharray="4 4"/>'
        for step in analysis.turning_points
    ]
    for seat, name in enumerate(names):
        points = " ".join(
            f"{MARGIN + across * step / steps:.1f},{HEIGHT - MARGIN - up * chances[seat]:.1f}"
            for step, chances in enumerate(analysis.chances)
        )
        colour = COLOURS[seat % len(COLOURS)]
        drawn.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        x = MARGIN + across * seat / len(names)
        drawn.append(f'<text x="{x:.0f}" y="{HEIGHT - 12}" fill="{colour}">{escape(name)}</text>')
    body = "\n".join(drawn)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">\n'
        f"<title>{escape(title)}</title>\n<style>text {{ font: 14px system-ui, sans-serif }}</style>\n"
        f'<rect width="100%" height="100%" fill="#fff"/>\n'
        f'<text x="{MARGIN}" y="26">{escape(title)}</text>\n'
        f'<path d="M{MARGIN} {MARGIN}v{up}h{across}" fill="none" stroke="#1d2530"/>\n{body}\n</svg>\n'
    )
