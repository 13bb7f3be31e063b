"""TOML from outside costs no more than its length, and what is written is read back."""

import time
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.toml import DEEPEST, KEY_PARTS, TooIntricateError, read_toml, toml_text, toml_value

LONG = 400_000
"""As many bytes as a box may have, more or less."""

MONSTERS = {
    "lists in lists": "a = " + "[" * LONG,
    "lists in lists that end": "a = " + "[" * 5000 + "]" * 5000,
    "tables in tables": "a = " + "{a=" * (LONG // 3),
    "lists and tables by turns": "a = " + "[{a=" * (LONG // 4),
    "a key of many parts": ".".join("a" * (LONG // 2)) + " = 1",
    "a key with room between its parts": " . ".join("a" * (LONG // 4)) + " = 1",
    "a key of quoted parts": ".".join(["'a'"] * (LONG // 4)) + " = 1",
    "a key of texts with brackets": ".".join(['"]"'] * (LONG // 4)) + " = 1",
    "a header of many parts": "[" + ".".join("a" * (LONG // 2)) + "]",
    "a header of many parts, and keys below it": "[" + ".".join("a" * (LONG // 4)) + "]\n" + "b = 1\n" * 1000,
    "behind a comment": "# it's [[[\n" + "a = " + "[" * LONG,
    "behind a text": "b = '''\n[[[''''\n" + "a = " + "[" * LONG,
    "behind a text with quotes at its end": 'b = """x"""""\n' + "a = " + "[" * LONG,
    "in a table in a list": "a = [\n" + "{" + ".".join("a" * (LONG // 2)) + " = 1}]",
}


@pytest.mark.parametrize("name", MONSTERS)
def test_what_no_file_of_ours_needs_is_refused_before_it_costs_anything(name: str) -> None:
    began = time.process_time()
    with pytest.raises(TooIntricateError):
        read_toml(MONSTERS[name])
    assert time.process_time() - began < 2


LONG_BUT_PLAIN = {
    "a long word": "a" * LONG,
    "a long text": f'a = "{"." * LONG}"',
    "texts of escapes": 'a = "' + '\\"' * (LONG // 2) + '"',
    "a text that does not end": 'a = """' + '\\"""' * (LONG // 4),
    "quotes": '"' * LONG,
    "other quotes": "'" * LONG,
    "brackets that end nothing": "]" * LONG,
    "a long comment": "#" + "[." * (LONG // 2),
    "many lists": "a = [" + "[1.5], " * (LONG // 7) + "]",
    "many tables": "[[a]]\nb.c = 1\n" * (LONG // 14),
}


@pytest.mark.parametrize("name", LONG_BUT_PLAIN)
def test_what_is_only_long_takes_no_longer_than_that(name: str) -> None:
    began = time.process_time()
    try:
        read_toml(LONG_BUT_PLAIN[name])
    except TooIntricateError:
        raise
    except ValueError:
        pass
    assert time.process_time() - began < 5


def test_brackets_and_dots_in_texts_and_comments_are_nothing_but_that() -> None:
    many = "[{.]}" * 100
    text = (
        f"a = '{many}' # {many}\nb = \"{many}\\\"{many}\"\nc = '''\n{many}''{many}'''\nd = \"\"\"{many}\"{many}\"\"\"\n"
    )
    assert read_toml(text) == tomllib.loads(text)


def test_what_is_nested_as_deep_as_it_may_be_is_read() -> None:
    deep = "a = " + "[" * DEEPEST + "]" * DEEPEST
    assert read_toml(deep) == tomllib.loads(deep)
    long = ".".join("a" * KEY_PARTS) + " = 1.5"
    assert read_toml(long) == tomllib.loads(long)


@given(st.text(alphabet="ab1=.,\"'#[]{} \n\\", max_size=60))
def test_it_reads_what_tomllib_reads_unless_that_is_too_intricate(text: str) -> None:
    try:
        expected: dict[str, Any] | None = tomllib.loads(text)
    except ValueError:
        expected = None
    try:
        assert read_toml(text) == expected
    except TooIntricateError:
        assert max(text.count("[") + text.count("{"), text.count(".")) >= DEEPEST
    except ValueError:
        assert expected is None


# --- Writing --------------------------------------------------------------------------------------------------

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
numbers = st.integers(-(2**63), 2**63 - 1)
anything = st.recursive(
    st.one_of(words, numbers, st.booleans()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=8,
)
tables = st.dictionaries(st.sampled_from("abc"), st.one_of(words, numbers, st.lists(words, max_size=3)), max_size=3)


@given(st.dictionaries(st.one_of(words, st.sampled_from("xyz")), st.one_of(anything, st.lists(tables, max_size=3))))
def test_what_is_written_is_read_back(data: dict[str, Any]) -> None:
    assert tomllib.loads(toml_text(data)) == data


def test_each_table_of_a_list_is_a_block_of_its_own() -> None:
    assert toml_text({"tags": [{"uid": "04"}, {"uid": "05"}], "game": "x"}) == (
        'game = "x"\n\n[[tags]]\nuid = "04"\n\n[[tags]]\nuid = "05"\n'
    )


@given(st.one_of(words, numbers))
def test_a_value_stands_on_one_line_and_is_read_back(value: str | int) -> None:
    assert "\n" not in toml_value(value)
    assert read_toml(f"key = {toml_value(value)}  # and a comment") == {"key": value}
