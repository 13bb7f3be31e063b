"""What a power cut may leave of a disk: everything up to the last flush, and of the rest any part, in any order.

A file's flush keeps its bytes, a folder's flush its names; nothing keeps anything else. Bytes are kept or lost in
sectors of 512. A name that was kept may lead to a file whose bytes were not.
"""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

SECTOR = 512


class File:
    """`kept` is on the disk for sure; each change since then may be, sector by sector."""

    def __init__(self) -> None:
        self.kept = bytearray()
        self.changes: list[tuple[int, bytes | None]] = []
        """An offset and bytes; or a size, and None."""

    def sync(self) -> None:
        self.kept = bytearray(self._with(lambda: True))
        self.changes = []

    def left(self, chance: random.Random) -> bytes:
        """What a cut leaves: all, nothing, a beginning, or sectors here and there."""
        if not self.changes:
            return bytes(self.kept)
        way = chance.randrange(4)
        if way == 0:
            return self._with(lambda: True)
        if way == 1:
            end = chance.randrange(len(self.changes) + 1)
            return File.of(self.kept, self.changes[:end])._with(lambda: True)
        likely = chance.choice((0.0, 0.1, 0.5, 0.9))
        return self._with(lambda: chance.random() < likely)

    @classmethod
    def of(cls, kept: bytearray, changes: list[tuple[int, bytes | None]]) -> "File":
        file = cls()
        file.kept, file.changes = kept, changes
        return file

    def _with(self, is_kept: Callable[[], bool]) -> bytes:
        data = bytearray(self.kept)
        for offset, written in self.changes:
            if written is None:
                if is_kept():
                    data = data[:offset].ljust(offset, b"\0")
                continue
            for start, part in _sectors(offset, written):
                if is_kept():
                    data = data.ljust(start, b"\0")
                    data[start : start + len(part)] = part
        return bytes(data)


def _sectors(offset: int, data: bytes) -> Iterator[tuple[int, bytes]]:
    end = offset + len(data)
    while offset < end:
        following = min((offset // SECTOR + 1) * SECTOR, end)
        yield offset, data[: following - offset]
        data, offset = data[following - offset :], following


class Folder:
    """Names, and the changes of names since its last flush: each takes place or does not."""

    def __init__(self) -> None:
        self.kept: dict[str, File | Folder] = {}
        self.changes: list[dict[str, File | Folder | None]] = []
        """A rename changes two names at once."""

    def now(self) -> "dict[str, File | Folder]":
        return self._with(self.changes)

    def sync(self) -> None:
        self.kept, self.changes = self.now(), []

    def left(self, chance: random.Random) -> "dict[str, File | Folder]":
        if chance.random() < 0.5:
            return self._with(self.changes[: chance.randrange(len(self.changes) + 1)])
        return self._with([change for change in self.changes if chance.random() < 0.5])

    def _with(self, changes: "list[dict[str, File | Folder | None]]") -> "dict[str, File | Folder]":
        names = dict(self.kept)
        for change in changes:
            for name, thing in change.items():
                names.pop(name, None)
                if thing is not None:
                    names[name] = thing
        return names


class Disk:
    """Follows the log of disk.c below one folder that is there from the beginning."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._top = Folder()
        self._by_inode: dict[int, File | Folder] = {root.stat().st_ino: self._top}

    def follow(self, line: str) -> None:
        call, _, rest = line.partition(" ")
        match call:
            case "create" | "mkdir":
                inode, _, path = rest.partition(" ")
                if self._is_ours(path):
                    thing = self._by_inode[int(inode)] = File() if call == "create" else Folder()
                    self._change(path, thing)
            case "rename":
                source, _, target = rest.partition("\t")
                if self._is_ours(source):
                    self._rename(source, target)
            case "unlink" if self._is_ours(rest):
                self._change(rest, None)
            case "write" | "size" | "sync":
                inode, *words = rest.split(" ")
                self._touch(call, self._by_inode.get(int(inode)), words)

    def _touch(self, call: str, thing: File | Folder | None, words: list[str]) -> None:
        if thing is None:
            return
        if call == "sync":
            thing.sync()
        elif isinstance(thing, File):
            thing.changes.append((int(words[0]), bytes.fromhex(words[1]) if call == "write" else None))

    def _rename(self, source: str, target: str) -> None:
        thing = self._folder(source).now()[Path(source).name]
        assert Path(source).parent == Path(target).parent, "no code moves files between folders"
        self._folder(source).changes.append({Path(source).name: None, Path(target).name: thing})

    def _change(self, path: str, thing: File | Folder | None) -> None:
        self._folder(path).changes.append({Path(path).name: thing})

    def _is_ours(self, path: str) -> bool:
        return Path(path).is_relative_to(self._root)

    def _folder(self, path: str) -> Folder:
        folder = self._top
        for name in Path(path).relative_to(self._root).parts[:-1]:
            inner = folder.now()[name]
            assert isinstance(inner, Folder)
            folder = inner
        return folder

    def left(self, into: Path, chance: random.Random) -> None:
        """Write down what a cut leaves at this moment. What SQLite shares between processes is in memory, and gone."""
        _write(self._top, into, chance)


def _write(folder: Folder, into: Path, chance: random.Random) -> None:
    for name, thing in folder.left(chance).items():
        if isinstance(thing, Folder):
            (into / name).mkdir()
            _write(thing, into / name, chance)
        elif not name.endswith("-shm"):
            (into / name).write_bytes(thing.left(chance))
