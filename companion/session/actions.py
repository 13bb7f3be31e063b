"""The actions of a game that count, oldest first.

An action with the states around it and all its rulings takes about a kilobyte. Only the newest are kept like that. The
others are packed: as in the journal, after one state for every `PACK` of them. When a packed action is needed, the
rules run again and give the same result. So even a long evening needs little memory, and nothing gets slower.
"""

import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, overload

import msgspec
from msgspec import Struct

from companion.gamekit.game import Game, Refusal, Ruling, Seat, Step
from companion.gamekit.game_start import decoded_action, read_action

PACK = 64
"""How many actions are packed together. At least this many of the newest are not packed, and fewer than three times as
many: so an undo and a new action do not unpack and pack each time."""


class CountedAction(Struct, frozen=True):
    """An accepted action that still counts."""

    number: int
    """Of its entry."""
    action: Any
    before: Any
    """The state before it."""
    step: Step[Any]
    how: str = ""
    """How it was entered: see `Entry.how`."""
    corrected_by: int = 0
    """The number of the entry that corrected it last; 0 if none did."""
    thought: tuple[float, ...] = ()
    """How many seconds each seat had thought in this game when it was played."""
    stand_in: Any = None
    """The action that replaces this one in the states, because a correction has made this hidden one impossible. It
    does until the reveal. None: the action itself counts."""
    dropped: tuple[Seat, ...] = ()
    """The seats whose hidden action no longer counts: this action would have revealed it, and a stand-in replaced
    it."""

    @property
    def counting(self) -> Any:
        """The action that led to the state after it."""
        return self.action if self.stand_in is None else self.stand_in

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """All that was ruled when it was played."""
        if not self.dropped:
            return self.step.rulings
        return (*self.step.rulings, Ruling(None, "hidden choice dropped", {"seats": self.dropped}))

    @property
    def entry(self) -> int:
        """The entry that holds the action as it counts now."""
        return self.corrected_by or self.number


class _Row(Struct, frozen=True, array_like=True):
    """A packed action: all that the rules cannot compute again, and whose secrets it revealed, which bots ask for."""

    number: int
    body: bytes
    """As an entry of the journal has it."""
    how: str
    corrected_by: int
    thought: tuple[float, ...]
    stand_in: bytes | None
    dropped: tuple[Seat, ...]
    revealed: tuple[Seat, ...]


class _Pack(Struct, frozen=True):
    first: int
    """The number of its first action."""
    before: Any
    """The state before that action."""
    rows: bytes
    """Compressed."""
    course: tuple[tuple[int, ...], ...]
    """See `Game.course`; without repetitions, empty if the game has none."""


class CountedActions(Sequence[CountedAction]):
    """A list as a game needs it: it grows at its end, and can be cut or replaced from any action on."""

    def __init__(self, game: Game[Any, Any], actions: Iterable[CountedAction] = ()) -> None:
        self._game = game
        self._packs: list[_Pack] = []
        self._newest: list[CountedAction] = []
        self._packed = 0
        """How many are not among the newest."""
        self._unpacked: tuple[int, list[CountedAction]] = -1, []
        """The pack that was unpacked last, and its actions."""
        self.revision = 0
        """Grows whenever actions are replaced. While it is the same, an action's number identifies all actions before
        it."""
        for action in actions:
            self.append(action)

    def __len__(self) -> int:
        return self._packed + len(self._newest)

    @overload
    def __getitem__(self, index: int) -> CountedAction: ...

    @overload
    def __getitem__(self, index: slice) -> list[CountedAction]: ...

    def __getitem__(self, index: int | slice) -> CountedAction | list[CountedAction]:
        if isinstance(index, slice):
            return [self._at(each) for each in range(*index.indices(len(self)))]
        return self._at(range(len(self))[index])

    @property
    def last(self) -> CountedAction | None:
        """The newest action; None if there is none. A fold asks for it several times for each entry."""
        return self._newest[-1] if self._newest else self[-1] if self._packed else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and all(map(_same, self, other))

    __hash__ = None  # type: ignore[assignment]  # as of a list

    def find(self, number: int) -> int | None:
        """Where the action of this entry stands. Later actions have higher numbers."""
        start, among = self._packed, self._newest
        if self._packs and (not among or number < among[0].number):
            pack = max(0, bisect_right(self._packs, number, key=lambda each: each.first) - 1)
            start, among = pack * PACK, self._unpack(pack)
        index = bisect_left(among, number, key=lambda each: each.number)
        return start + index if index < len(among) and among[index].number == number else None

    def course(self, start: Any) -> tuple[tuple[int, ...], ...]:
        """The values of `Game.course`, each time that they changed, from the first state on."""
        look = self._game.course
        if look is None:
            return ()
        packed = (numbers for pack in self._packs for numbers in pack.course)
        newest = (look(each.step.state) for each in self._newest)
        return tuple(numbers for numbers, _same in groupby((look(start), *packed, *newest)))

    def past(self) -> Iterator[tuple[Any, tuple[Seat, ...]]]:
        """Each action as it counts, and whose secrets it revealed. The rules are not asked."""
        for pack in self._packs:
            for row in _rows(pack):
                yield self._action(row.body if row.stand_in is None else row.stand_in), row.revealed
        for each in self._newest:
            yield each.counting, each.step.revealed

    # --- Changing ---------------------------------------------------------------------------------------------

    def append(self, action: CountedAction) -> None:
        self._newest.append(action)
        if len(self._newest) >= 3 * PACK:
            self._pack(PACK)

    def __delitem__(self, rest: slice) -> None:
        """Remove all actions from one on."""
        index = self._begin(rest)
        while self._packs and index < self._packed + PACK:
            last = self._unpack(len(self._packs) - 1)
            self._unpacked = -1, []
            del self._packs[-1]
            self._packed -= len(last)
            self._newest[:0] = last
        del self._newest[index - self._packed :]

    @overload
    def __setitem__(self, index: int, action: CountedAction) -> None: ...

    @overload
    def __setitem__(self, index: slice, action: Iterable[CountedAction]) -> None: ...

    def __setitem__(self, index: int | slice, action: CountedAction | Iterable[CountedAction]) -> None:
        """Replace one action, or all from one on."""
        if isinstance(action, CountedAction):
            assert isinstance(index, int)
            action, index = [action, *self[index:][1:]], slice(index, None)
        assert isinstance(index, slice)
        instead = list(action)
        del self[index]
        for each in instead:
            self.append(each)
        self.revision += 1

    def _begin(self, rest: slice) -> int:
        start, stop, step = rest.indices(len(self))
        if (stop, step) != (len(self), 1):
            raise ValueError("only the newest actions can be removed or replaced")
        return start

    def pack(self) -> None:
        """Pack everything: nothing will be added or removed any more."""
        while self._newest:
            self._pack(min(PACK, len(self._newest)))

    # --- Packing ----------------------------------------------------------------------------------------------

    def _at(self, index: int) -> CountedAction:
        if index >= self._packed:
            return self._newest[index - self._packed]
        return self._unpack(index // PACK)[index % PACK]

    def _pack(self, count: int) -> None:
        oldest, self._newest = self._newest[:count], self._newest[count:]
        rows = [_row(each) for each in oldest]
        look = self._game.course
        course = groupby(look(each.step.state) for each in oldest) if look else ()
        seen = tuple(numbers for numbers, _same in course)
        packed = zlib.compress(msgspec.msgpack.encode(rows), 1)
        self._packs.append(_Pack(oldest[0].number, oldest[0].before, packed, seen))
        self._packed += count

    def _unpack(self, which: int) -> list[CountedAction]:
        if self._unpacked[0] != which:
            self._unpacked = which, list(self._folded(self._packs[which]))
        return self._unpacked[1]

    def _folded(self, pack: _Pack) -> Iterator[CountedAction]:
        before = pack.before
        for row in _rows(pack):
            action = self._action(row.body)
            stand_in = None if row.stand_in is None else self._action(row.stand_in)
            step = self._game.at_table(before, action if stand_in is None else stand_in)
            assert not isinstance(step, Refusal)  # the rules have accepted it before, in this very state
            told = row.how, row.corrected_by, row.thought, stand_in, row.dropped
            yield CountedAction(row.number, action, before, step, *told)
            before = step.state

    def _action(self, body: bytes) -> Any:
        action = decoded_action(self._game, body)
        return read_action(self._game, msgspec.json.decode(body)) if action is None else action


def _rows(pack: _Pack) -> list[_Row]:
    return msgspec.msgpack.decode(zlib.decompress(pack.rows), type=list[_Row])


def _row(each: CountedAction) -> _Row:
    stand_in = None if each.stand_in is None else msgspec.json.encode(each.stand_in)
    body = msgspec.json.encode(each.action)
    return _Row(
        each.number, body, each.how, each.corrected_by, each.thought, stand_in, each.dropped, each.step.revealed
    )


def _same(one: object, other: object) -> bool:
    return one == other
