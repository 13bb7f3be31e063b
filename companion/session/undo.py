"""What an undo or a correction changes: what is undone, which pieces hands move back, and whether all have to agree."""

from collections.abc import Sequence

from companion.gamekit.game import Move, moves
from companion.gamekit.snapshot import TYPED
from companion.session.actions import CountedAction
from companion.session.entry import EntryKind, back_body, undo_body
from companion.session.played_game import PlayedGame


def undo_entry(played_game: PlayedGame, to: int | None) -> tuple[EntryKind, bytes] | None:
    """The entry that undoes the newest thing that counts, or everything back to the action `to`, including that one.
    None if there is nothing to undo."""
    if to is not None:
        return None if played_game.find(to) is None else ("back", back_body(to))
    return ("undo", undo_body(played_game.newest)) if played_game.newest else None


def undo_moves(played_game: PlayedGame, to: int | None = None) -> tuple[Move, ...]:
    """The pieces that hands move back for an undo. There are none if no action is undone, or if the undo only reopens
    the match."""
    if not played_game.played or (to is None and played_game.ended):
        return ()
    where, now = played_game.game.whereabouts, played_game.state
    if to is None and (newest := played_game.newest_correction):
        if newest.how in TYPED:
            return ()  # a typed correction moved no piece
        return moves(where(now), where(played_game.uncorrected()[-1].step.state))
    index = -1 if to is None else played_game.find(to)
    return () if index is None else moves(where(now), where(played_game.played[index].before))


def correction_moves(played_game: PlayedGame, number: int, tail: Sequence[CountedAction]) -> tuple[Move, ...]:
    """The pieces that hands move for a correction. If the action was typed, the right piece is on the table already.
    If a reader read it, the wrong piece is."""
    index = played_game.find(number)
    if index is None or played_game.played[index].how in TYPED:
        return ()
    where = played_game.game.whereabouts
    return moves(where(played_game.state), where(tail[-1].step.state))


def needs_agreement(played_game: PlayedGame, to: int | None = None) -> bool:
    """Whether this goes back behind a reveal: all players have seen what would be secret again."""
    if to is None and (played_game.ended or not played_game.played):
        return False
    newest = played_game.newest_correction
    index = played_game.find(to if to is not None else newest.of if newest else played_game.played[-1].number)
    return index is not None and any(played.step.revealed for played in played_game.played[index:])
