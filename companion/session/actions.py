"""The actions of a game that count, oldest first. No file and no clock.

An action with the states around it and all its rulings takes about a kilobyte. Only the newest are kept like that; the
others are packed: as they stand in the journal, after one state for every `PACK` of them. Asked for one of those, the
rules are asked again, and say the same. So an evening costs little memory, however long it is, and nothing gets slower.
"""

import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, overload

import msgspec
from msgspec import Struct

from companion.gamekit.game import Game, Refusal, Ruling, Seat, Step
from companion.gamekit.game_start import read_action

PACK = 64
"""How many actions are packed together. Of the newest at least this many are whole, and fewer than three times as many:
so an action that is undone and done again does not unpack and pack each time."""


class CountedAction(Struct, frozen=True):
    """An accepted action that still counts."""

    number: int
    """Of its entry."""
    action: Any
    before: Any
    """The state that it met."""
    step: Step[Any]
    how: str = ""
    """How it was entered: see `Entry.how`."""
    corrected_by: int = 0
    """The number of the entry that says it as it counts now; 0 if it was never corrected."""
    thought: tuple[float, ...] = ()
    """For how many seconds each seat had thought in this game when it came."""
    stand_in: Any = None
    """What stands in the states for a hidden action that a correction has made impossible, until it would be revealed;
    None: the action itself."""
    dropped: tuple[Seat, ...] = ()
    """Whose hidden action no longer counts, because this one would have revealed it and a stand-in stood for it."""

    @property
    def counting(self) -> Any:
        """The action that led to the state after it."""
        return self.action if self.stand_in is None else self.stand_in

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """All that was told when it was played."""
        if not self.dropped:
            return self.step.rulings
        return (*self.step.rulings, Ruling(None, "hidden choice dropped", {"seats": self.dropped}))

    @property
    def entry(self) -> int:
        """The entry that says it as it counts now."""
        return self.corrected_by or self.number


class _Row(Struct, frozen=True, array_like=True):
    """A packed action: all that the rules do not say."""

    number: int
    body: bytes
    """As an entry of the journal has it."""
    how: str
    corrected_by: int
    thought: tuple[float, ...]
    stand_in: bytes | None
    dropped: tuple[Seat, ...]


class _Pack(Struct, frozen=True):
    first: int
    """The number of its first action."""
    before: Any
    """The state that this action met."""
    rows: bytes
    """Compressed."""
    course: tuple[tuple[int, ...], ...]
    """See `Game.course`; without repetitions, empty if the game has none."""


class CountedActions(Sequence[CountedAction]):
    """Like a list, as far as a game needs one: it grows at its end, and from some action on it is cut or replaced."""

    def __init__(self, game: Game[Any, Any], actions: Iterable[CountedAction] = ()) -> None:
        self._game = game
        self._packs: list[_Pack] = []
        self._newest: list[CountedAction] = []
        self._packed = 0
        """How many are not among the newest."""
        self._unpacked: tuple[int, list[CountedAction]] = -1, []
        """Which pack was looked into last, and what was in it."""
        self.revision = 0
        """Grows whenever actions are replaced. As long as it stays the same an action's number tells all before it."""
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
        """What the game looks back at, each time that it changed, from the first state on."""
        look = self._game.course
        if look is None:
            return ()
        packed = (numbers for pack in self._packs for numbers in pack.course)
        newest = (look(each.step.state) for each in self._newest)
        return tuple(numbers for numbers, _same in groupby((look(start), *packed, *newest)))

    # --- Changing ---------------------------------------------------------------------------------------------

    def append(self, action: CountedAction) -> None:
        self._newest.append(action)
        if len(self._newest) >= 3 * PACK:
            self._pack(PACK)

    def __delitem__(self, rest: slice) -> None:
        """All from an action on are taken away."""
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
        """Others count, instead of one or instead of all from one on."""
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
            raise ValueError("of the actions that count only the newest can be taken away, or replaced")
        return start

    def pack(self) -> None:
        """Nothing will be added or taken away any more."""
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
        for row in msgspec.msgpack.decode(zlib.decompress(pack.rows), type=list[_Row]):
            action = self._action(row.body)
            stand_in = None if row.stand_in is None else self._action(row.stand_in)
            step = self._game.at_table(before, action if stand_in is None else stand_in)
            assert not isinstance(step, Refusal)  # the rules have accepted it before, in this very state
            told = row.how, row.corrected_by, row.thought, stand_in, row.dropped
            yield CountedAction(row.number, action, before, step, *told)
            before = step.state

    def _action(self, body: bytes) -> Any:
        return read_action(self._game, msgspec.json.decode(body))


def _row(each: CountedAction) -> _Row:
    stand_in = None if each.stand_in is None else msgspec.json.encode(each.stand_in)
    body = msgspec.json.encode(each.action)
    return _Row(each.number, body, each.how, each.corrected_by, each.thought, stand_in, each.dropped)


def _same(one: object, other: object) -> bool:
    return one == other
