"""The lines of keys are found in any TOML that tomllib reads."""

import json
import re
import tomllib
from collections.abc import Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from companion.config.toml_lines import line_of, lines
from companion.devices.wired_part import KeyPath

# --- What it finds --------------------------------------------------------------------------------------------


def test_a_key_is_on_its_line() -> None:
    assert lines("\n# words\nbus = 0\n  device = 1 # more\n") == {(): 1, ("bus",): 3, ("device",): 4}


def test_each_of_several_tables_of_a_name_has_a_number() -> None:
    found = lines('[[reader]]\nbus = 0\n\n[[reader]]\nbus = 1\n[reader.led]\ncolour = "red"\n')
    assert found["reader",] == 1
    assert found["reader", 0, "bus"] == 2
    assert found["reader", 1] == 4
    assert found["reader", 1, "bus"] == 5
    assert found["reader", 1, "led", "colour"] == 7


def test_dotted_and_quoted_keys_are_the_keys_that_they_mean() -> None:
    found = lines("gpio.port = 1\n\"gpio\" . 'host' = ''\n\"a\\u002eb\" = 2\n[ x . 'y.z' ]\nk = 1")
    assert found == {
        (): 1,
        ("gpio",): 1,
        ("gpio", "port"): 1,
        ("gpio", "host"): 2,
        ("a.b",): 3,
        ("x",): 4,
        ("x", "y.z"): 4,
        ("x", "y.z", "k"): 5,
    }


def test_every_entry_of_a_list_over_many_lines_has_its_own() -> None:
    found = lines('pads = [ # five\n  "pad0", "pad#1",\n\n  "]", # three\n  {a = 1, b = [2,\n 3]},\n]\nnext = 1\n')
    assert [found["pads", number] for number in range(4)] == [2, 2, 4, 5]
    assert found["pads", 3, "b", 1] == 6
    assert found["next",] == 8


def test_strings_over_many_lines_are_one_value() -> None:
    found = lines('a = """one\nb = 1\n\\""" \n""""\nc = \'\'\'\nd = 2\n\'\'\'\'\'\ne = ""\n')
    assert found == {(): 1, ("a",): 1, ("c",): 5, ("e",): 8}


def test_lines_that_end_as_on_windows_are_counted_once() -> None:
    assert lines("a = 1\r\nb = 2\r\n")["b",] == 2


def test_what_was_left_out_is_where_it_would_be() -> None:
    found = lines("[[reader]]\n[[reader]]\n[gpio]\n")
    assert line_of(("reader", 1, "reset"), found) == 2
    assert line_of(("satellite", "port"), found) == 1


# --- Against tomllib ------------------------------------------------------------------------------------------

KEYS = st.text("ab-1._ \"'#é\\\n=]", max_size=4)
STRINGS = st.text("ab\"'#\\\n=[]{},", max_size=8)
BLANKS = st.sampled_from(["", "", "", "\n", "# [x]\n", "  \n\n", '# a = """\n'])
SCALARS = st.one_of(st.integers(-9, 99), st.booleans(), st.floats(-9, 9), STRINGS)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=8
)
TABLES: st.SearchStrategy[dict[str, Any]] = st.recursive(
    st.dictionaries(KEYS, VALUES, max_size=4),
    lambda inner: st.dictionaries(KEYS, inner | st.lists(inner, min_size=1, max_size=3), max_size=3),
    max_leaves=6,
)


class Author:
    """Writes TOML in as many ways as there are, and notes on which line it wrote what."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw
        self.text = ""
        self.noted: dict[KeyPath, int] = {(): 1}

    def document(self, table: dict[str, Any]) -> None:
        self._body((), (), table)

    def _body(self, path: KeyPath, header: tuple[str, ...], table: dict[str, Any]) -> None:
        """Simple values first: after the header of a table within, they would belong to that."""
        inner = {
            name: value for name, value in table.items() if self._may_be_table(value) and self._draw(st.booleans())
        }
        for name, value in table.items():
            if name not in inner:
                self.text += self._draw(BLANKS)
                self._pair(path, name, value)
                self.text += self._draw(st.sampled_from(["\n", " # words\n"]))
        for name, value in inner.items():
            self._tables((*path, name), (*header, name), value)

    @staticmethod
    def _may_be_table(value: Any) -> bool:
        several = isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)
        return isinstance(value, dict) or several

    def _tables(self, path: KeyPath, header: tuple[str, ...], value: Any) -> None:
        several = isinstance(value, list)
        for number, table in enumerate(value if several else [value]):
            self.text += self._draw(BLANKS) + ("[[" if several else "[")
            here = self._note((*path, number), path) if several else self._note(path)
            self.text += f" {self._dotted(header)} " + ("]]\n" if several else "]\n")
            self._body(here, header, table)

    def _pair(self, path: KeyPath, name: str, value: Any) -> None:
        names = [name]
        while isinstance(value, dict) and len(value) == 1 and self._draw(st.booleans()):  # a.b = 1 for a = {b = 1}
            ((name, value),) = value.items()
            names.append(name)
        for part in names:
            path = self._note((*path, part))
        self.text += f"{self._dotted(tuple(names))} = "
        self._value(path, value)

    def _dotted(self, names: tuple[str, ...]) -> str:
        return self._draw(st.sampled_from([".", " . "])).join(self._key(name) for name in names)

    def _key(self, name: str) -> str:
        ways = [json.dumps(name)]
        ways += [name] if re.fullmatch(r"[A-Za-z0-9_-]+", name) else []
        ways += [f"'{name}'"] if not re.search(r"['\n]", name) else []
        return self._draw(st.sampled_from(ways))

    def _value(self, path: KeyPath, value: Any) -> None:
        if isinstance(value, dict):
            self.text += "{ "
            for number, (name, inner) in enumerate(value.items()):
                self.text += ", " if number else ""
                self._pair(path, name, inner)
            self.text += " }"
        elif isinstance(value, list):
            self.text += "[" + self._draw(BLANKS)
            for number, inner in enumerate(value):
                self._value(self._note((*path, number)), inner)
                self.text += self._draw(BLANKS.map(lambda blank: "\n" + blank if "#" in blank else blank))
                self.text += "," + self._draw(BLANKS)
            self.text += "]"
        elif isinstance(value, str):
            self.text += self._string(value)
        else:
            self.text += json.dumps(value)

    def _string(self, value: str) -> str:
        ways = [json.dumps(value)]
        ways += [f"'{value}'"] if not re.search(r"['\n]", value) else []
        ways += [f"'''{value}'''"] if "'''" not in value else []
        ways += ['"""' + value.replace("\\", "\\\\") + '"""'] if '"""' not in value else []
        return self._draw(st.sampled_from(ways))

    def _note(self, path: KeyPath, *also: KeyPath) -> KeyPath:
        for each in (path, *also):
            self.noted.setdefault(each, self.text.count("\n") + 1)
        return path


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, dict[KeyPath, int]]:
    author = Author(draw)
    author.document(draw(TABLES))
    return author.text, author.noted


def paths(value: Any, path: KeyPath = ()) -> Iterator[KeyPath]:
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, each in inner:
        yield from paths(each, (*path, step))


@given(documents())
def test_every_path_that_tomllib_reads_has_the_line_where_it_was_written(
    document: tuple[str, dict[KeyPath, int]],
) -> None:
    text, noted = document
    found = lines(text)
    assert set(found) == set(paths(tomllib.loads(text)))
    assert found == noted


@given(st.text("ab=[]{}.,\"'\\#\n 1", max_size=40))
def test_whatever_the_text_the_walk_ends(text: str) -> None:
    assert lines(text)[()] == 1


@given(st.lists(st.sampled_from(['"', "'", "\\", "\n", "[", "]", "{", "}", "=", ",", "a", "#", "[[", '"""', "'''"])))
def test_what_tomllib_reads_has_lines_for_all_of_it_however_odd(pieces: list[str]) -> None:
    text = "a = " + "".join(pieces)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    assert set(lines(text)) == set(paths(data))
