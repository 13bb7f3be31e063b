"""With two buttons: where a won tile is built and how it is turned, and which jewellery line is scored.

What was said so far is the action that green, held, would carry out.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from companion.gamekit import Aside, Draft, Pushed, Refusal
from companion.games.darwinci.display import closed_creatures, joints, line_points, places, where
from companion.games.darwinci.rules.engine import buildable, discardable
from companion.games.darwinci.rules.public import lines
from companion.games.darwinci.rules.scoring import chosen_line
from companion.games.darwinci.rules.state import Build, Discard, Jewels, Skip, State
from companion.games.darwinci.view import Built

# --- Places ---------------------------------------------------------------------------------------------------


def first_tile(state: State) -> Draft | Aside:
    """Green takes up the first of the won tiles; in the set-up nobody knows what is in a hand."""
    choices = _all_places(state)
    if not choices:
        return Aside("idle", "lay a tile", {"seat": state.turn})
    return _place(state, choices[0])


def take_up(state: State, tile: str) -> Build | Draft:
    """A tile that was laid down: its first place. One that cannot be built goes to the rules: they say why."""
    if state.phase == "setup" and tile in state.fresh:
        return _place(state, _at_places(state, (tile,))[0])
    for choice in _all_places(state):
        if choice.tile == tile:
            return _place(state, choice)
    x, y = next(iter(places(state.built[state.turn])), (0, 0))
    return Build(state.turn, tile, x, y, 0)


def next_place(state: State, so_far: Build | Discard, button: Pushed) -> Build | Discard | Draft:
    """Green: the next place. Red: a quarter turn. Green held: build it. Red held: leave it."""
    if button.held and button.colour == "green":
        return so_far
    if button.held:
        return Draft(None, "leaves it", {"seat": state.turn})
    if button.colour == "red" and isinstance(so_far, Build):
        return _place(state, replace(so_far, turn=(so_far.turn + 90) % 360))
    setup = state.phase == "setup"
    choices = _at_places(state, (so_far.tile,)) if setup else _all_places(state)
    unturned = replace(so_far, turn=0) if isinstance(so_far, Build) else so_far
    at = choices.index(unturned) if unturned in choices else -1
    following = choices[(at + 1) % len(choices)]
    if isinstance(following, Build) and isinstance(so_far, Build):
        following = replace(following, turn=so_far.turn)
    return _place(state, following)


def _all_places(state: State) -> list[Build | Discard]:
    """Every place of every tile that may be built, then what may be discarded."""
    if state.phase == "setup":
        return []
    discards = [Discard(state.turn, tile) for tile in discardable(state, state.turn)]
    return [*_at_places(state, buildable(state, state.turn)), *discards]


def _at_places(state: State, tiles: Sequence[str]) -> list[Build | Discard]:
    seat = state.turn
    return [Build(seat, tile, x, y, 0) for tile in tiles for x, y in places(state.built[seat])]


def _place(state: State, so_far: Build | Discard) -> Draft:
    """With a preview of the bones that join and of what would be scored."""
    seat, tile = so_far.seat, so_far.tile
    if isinstance(so_far, Discard):
        return Draft(so_far, "would discard", {"seat": seat, "tile": tile})
    built = state.built[seat]
    placed = Built(tile, so_far.x, so_far.y, so_far.turn)
    closed = closed_creatures((*built, placed), state.tiles, len(built))
    return Draft(
        so_far,
        "would build",
        {
            "seat": seat,
            "tile": tile,
            "where": where(built, so_far.x, so_far.y),
            "degrees": so_far.turn,
            "joints": joints(built, placed, state.tiles),
            "points": sum(creature.points for creature in closed),
        },
    )


# --- Jewellery lines ------------------------------------------------------------------------------------------


def first_line(state: State, kind: str | None = None) -> Draft | Aside:
    """Green, or a jewellery marker: the line that brings most."""
    choices = _best_first(state, kind)
    if not choices:
        return Aside("idle", "no jewellery to score", {"seat": state.turn})
    return _line(state, choices[0])


def no_line(state: State) -> Skip:
    """Red scores nothing."""
    return Skip(state.turn)


def next_line(state: State, so_far: Jewels, button: Pushed) -> Jewels | Skip | Draft:
    """Green: the next line. Green held: score it. Red: score nothing. Red held: leave it."""
    if button.colour == "red":
        return Draft(None, "leaves it", {"seat": state.turn}) if button.held else no_line(state)
    if button.held:
        return so_far
    choices = _best_first(state, None)
    at = choices.index(so_far) if so_far in choices else -1
    return _line(state, choices[(at + 1) % len(choices)])


def _best_first(state: State, kind: str | None) -> list[Jewels]:
    found = [line for line in lines(state, state.turn) if kind in (None, line.kind)]
    return sorted(found, key=lambda line: -_points(state, line))


def _points(state: State, so_far: Jewels) -> int:
    line = chosen_line(state, so_far)
    if isinstance(line, Refusal):
        return 0
    symbols, values = line_points(line, state.tiles, so_far.kind)
    return symbols * values


def _line(state: State, so_far: Jewels) -> Draft:
    """D15 Never less than 0 is paid without a warning first."""
    points = _points(state, so_far)
    return Draft(
        so_far,
        "would score" if points > 0 else "would cost",
        {"seat": so_far.seat, "kind": so_far.kind, "line": so_far.line, "points": points, "darwin": -points},
    )
