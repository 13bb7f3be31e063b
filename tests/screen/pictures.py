"""What each game shows at chosen moments of a recorded game, as text. `python -m tests.screen.pictures` writes it to
tests/data: look at the difference before you commit it.

Before each line stands a digest of its styles, so that a wrong colour is noticed, too.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import msgspec
from msgspec.structs import replace
from textual.content import Content

from companion.drawing.event_lines import explained, last_reveal, reasons, told_lines
from companion.drawing.result_sheet import bars, course, majorities, outcome, sheet
from companion.gamekit import Whereabouts, discovery
from companion.gamekit.screen.face import Menu, Sight, next_menu
from companion.gamekit.screen.face_discovery import find_face
from companion.gamekit.snapshot import OwnView, Snapshot
from companion.gamekit.transcript import parse_transcript
from companion.games.carnuta.screen import cards
from companion.games.darwinci.components import Tile
from companion.games.darwinci.screen import tiles
from companion.home.box_files import find_box
from companion.language.screen_language import speak
from companion.messages.intentions import Go
from companion.session.entry import Entry
from companion.session.evening import Evening, game_body
from companion.session.game_replay import Replay
from companion.web.phone_view import view
from companion.web.seat_sight import SeatSight
from companion.web.styled_text import lines

DATA = Path(__file__).parents[1] / "data"
FILE = "pictures.txt"
RECORDED = {
    "lascaux": ("five-players", "secret-stones"),
    "sioux": ("five-players", "gifts-after-swaps"),
    "darwinci": ("four-players-floor",),
    "carnuta": ("four-players",),
}
SMALL, LARGE, HUGE, PHONE = 80, 120, 180, 34
EVERY, LAST = 60, 6


def pictures(game: str) -> str:
    speak("en")
    told = [line for name in RECORDED[game] for line in _game(DATA / game / f"{name}.jsonl")]
    told += PIECES[game]() if game in PIECES else ()
    return "".join(f"{line.rstrip()}\n" for line in told)


def _game(path: Path) -> Iterator[str]:
    """Where something is asked for that was not asked for before, some moments between, and the end."""
    evening = _played(path)
    replay, known = Replay(evening, path.stem, is_open=True), set[str]()
    for step in range(replay.steps + 1):
        replay.heed(Go("go", to=step))
        shown = _as_it_was_then(evening, replay.snapshot(), step)
        asked = {action.__struct_config__.tag for action in shown.offered}
        if asked - known or step % EVERY == EVERY - 1 or step == replay.steps:
            yield f"===== {path.stem}, after {step} actions"
            yield from _moment(evening, msgspec.json.decode(msgspec.json.encode(shown), type=Snapshot), step)
        known |= asked


def _played(path: Path) -> Evening:
    transcript = parse_transcript(path.read_bytes(), str(path), path.parent)
    game = discovery.find(transcript.header.game)
    box = find_box(game, transcript.box).text
    evening = Evening([Entry(1, 0.0, "game", "", "", game_body(transcript.header, box))])
    for line in transcript.lines:
        evening.take(Entry(evening.number + 1, 0.0, "action", "screen", "", msgspec.json.encode(line.action)))
    return evening


def _state(evening: Evening, step: int) -> Any:
    return evening.played_game.played[step - 1].step.state if step else evening.played_game.first_state


def _as_it_was_then(evening: Evening, shown: Snapshot, step: int) -> Snapshot:
    game, state = evening.game, _state(evening, step)
    offered = tuple(game.offered(state))
    secret = tuple(sorted({each.__struct_config__.tag for each in offered if game.conceals(each) is not None}))
    return replace(shown, offered=offered, secret=secret, replay=None, own=game.own_view is not None)


def _moment(evening: Evening, shown: Snapshot, step: int) -> Iterator[str]:
    sight = Sight(shown, find_face(shown.game))
    face = sight.face
    headline = outcome(sight) if sight.over else face.headline(sight)
    yield f"{headline.sentence}  {headline.big}"
    for width, panels in (
        (SMALL, face.panels(sight, SMALL, False)),
        (LARGE, face.panels(sight, LARGE, True)),
        (HUGE, face.grown(sight, HUGE) or ()),
        (PHONE, face.phone_panels(sight, PHONE)),
    ):
        yield f"--- {width} wide"
        yield from _drawn(*panels)
    yield from _hands(evening, sight, step)
    yield from _phones(evening, shown, step)
    yield "--- where everything lies"
    yield from _lying(sight, evening.game.whereabouts(_state(evening, step)))
    if evening.game.layout:
        yield "--- where it should lie, as far as all players know"
        yield from _lying(sight, evening.game.layout(evening.game.view(_state(evening, step))))
    if not step and evening.game.preparation:
        yield "--- preparation"
        yield from (f"{each.rule} {sight.say(each)}" for each in evening.game.preparation(evening.setup))
    for command in face.commands(sight):
        if actions := command.of(sight):
            yield f"--- {command.label} {command.keys}: {len(actions)}"
            menu = face.phone_menu(sight, actions)
            yield from _menu(menu) if menu else ()
    come_to_light = last_reveal(sight)
    if come_to_light:
        yield "--- revealed"
        yield from _drawn(*face.steps(sight, come_to_light))
        for call in face.calls(sight, come_to_light, LARGE, True):
            if call:
                yield f"{call.big}"
                yield from _drawn(call.picture)
    if sight.over:
        yield "--- the result"
        yield from _drawn(*(part(sight, SMALL) for part in (sheet, bars, majorities, course)), face.legend(sight))
        for each in (*told_lines(sight, sight.history[-LAST:]), *reasons(sight)[::4]):
            yield f"{each.number} {each.rule} {each.sentence}"
            yield from _drawn(explained(sight, each))


def _hands(evening: Evening, sight: Sight, step: int) -> Iterator[str]:
    if evening.game.own_view is None:
        return
    for seat in range(2):
        hand = msgspec.json.decode(msgspec.json.encode(evening.game.own_view(_state(evening, step), seat)))
        yield f"--- the hand of {sight.name(seat)}"
        yield from _drawn(sight.face.hand(sight.looked_at_by(OwnView("", seat, 0, hand)), False))


def _lying(sight: Sight, lying: Whereabouts) -> Iterator[str]:
    there: dict[str, list[str]] = {}
    for (thing, place), count in sorted(lying.items(), key=str):
        if count and (place.kind != "hand" or not thing.id):
            things = there.setdefault(sight.face.place(place, sight), [])
            things.append(f"{count}: {sight.face.thing(thing, count, sight)} ({thing.id})")
    yield from (f"{place}: {', '.join(things)}" for place, things in there.items())


def _phones(evening: Evening, shown: Snapshot, step: int) -> Iterator[str]:
    """All but the table itself, which stands above; and from which width on that is drawn as on a screen."""
    state, face = _state(evening, step), find_face(shown.game)
    for seat in shown.awaiting.seats[:1] if shown.awaiting else (0,):
        hand = evening.game.own_view(state, seat) if evening.game.own_view else None
        own = [action for action in evening.game.legal(state) if getattr(action, "seat", None) == seat]
        own_view = msgspec.json.decode(msgspec.json.encode(OwnView("", seat, 0, hand, tuple(own[:12]))), type=OwnView)
        yield f"--- the phone of {shown.players[seat].name}"
        sight = SeatSight(shown, face, own_view)
        drawn = msgspec.json.decode(msgspec.json.encode(view(sight, PHONE, True)))
        yield from (
            f"{name}: {_compact(part)}" for name, part in drawn.items() if name not in ("hand", "panels", "menu")
        )
        if drawn.get("menu"):
            yield f"menu: {_compact(drawn['menu'])[:2000]}"
        yield from (f"{cells}: {crc32(msgspec.json.encode(view(sight, cells, True).panels))}" for cells in (59, 60))


def _compact(part: Any) -> str:
    return json.dumps(part, separators=(",", ":"), ensure_ascii=False)


def _menu(menu: Menu) -> Iterator[str]:
    """With one of its choices followed to the end."""
    yield f"{menu.title} ({len(menu.choices)} in {menu.columns} columns)"
    yield from _drawn(menu.picture)
    for choice in menu.choices[:12]:
        label = choice.label.plain if isinstance(choice.label, Content) else choice.label
        yield f"  {label!r} {choice.key} {choice.ink} {choice.paper} {choice.figure}"
    further = next_menu(Random(len(menu.choices)).choice(menu.choices).value)
    if further is not None:
        yield from _menu(further)


def _drawn(*contents: Content) -> Iterator[str]:
    for content in contents:
        for line in lines(content):
            styles = repr([[len(run[0]), *run[1:]] for run in line]).encode()
            yield f"{crc32(styles) & 0xFFF:03x}|{''.join(run[0] for run in line)}"


def _side_by_side(*blocks: Sequence[Content]) -> Iterator[str]:
    for row in zip_longest(*blocks, fillvalue=Content("")):
        yield from _drawn(Content("  ").join(row))


def _tiles() -> Iterator[str]:
    """Each shape of Darwinci, turned four times, with signs at its edges, and with more jewellery than room."""
    kinds = ("tooth", "shell", "amber", "feather", "stone")
    marks = {
        edge: tiles.Mark(sign, hue) for edge, (sign, hue) in enumerate(zip("↑!↓∞", ("red", "green") * 2, strict=True))
    }
    box = discovery.find("darwinci")
    shapes = sorted({tile.bones for tile in box.parse_box(box.standin(), "the box that ships").tiles})
    for size in (tiles.MEDIUM, tiles.LARGE, tiles.HUGE):
        for bones in shapes:
            yield f"--- {bones} {size.width} by {size.height}"
            tile, full = Tile("t", bones, -3, kinds[:1]), Tile("f", bones, 12, kinds * 4)
            looks = [tiles.TileLook(tile, turn, ("#111111", "#222222")) for turn in (0, 90, 180, 270)]
            looks += [tiles.TileLook(full, 0, marks=marks), tiles.TileLook(Tile("n", bones), 90, marks=marks)]
            yield from _side_by_side(*(tiles.drawn(look, size, kinds) for look in looks))
        yield from _side_by_side(tiles.face_down(size), tiles.blank(size, "#333333", "?"), tiles.blank(size, "#333333"))


def _cards() -> Iterator[str]:
    """Cards of Carnuta in every size, payable or not."""
    game = discovery.find("carnuta")
    box = game.parse_box(game.standin(), "the box that ships")
    for card in box.cards[::9]:
        for height in (1, 2, 3, 5, 6):
            yield f"--- {card.id}, {height} lines"
            yield from _side_by_side(*(cards.drawn(card, width, height, None) for width in (9, 16, 17, 31, 32, 44)))
        yield from _side_by_side(*(cards.drawn(card, 20, 3, payable) for payable in (True, False)))
        yield from _side_by_side(*(cards.picked(card, width, height) for width, height in ((14, 3), (20, 6), (37, 12))))
    for height in (1, 2, 4):
        yield from _side_by_side(*(each(width, height) for width in (16, 17) for each in (cards.hidden, cards.empty)))


PIECES = {"darwinci": _tiles, "carnuta": _cards}


if __name__ == "__main__":
    for each in RECORDED:
        (DATA / each / FILE).write_text(pictures(each), encoding="utf-8")
