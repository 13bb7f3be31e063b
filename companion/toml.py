"""Reads and writes TOML: files that people edit by hand, or get from others.

A text is checked before it is parsed. `tomllib` calls itself for each level of nesting, and goes through all parts of a
dotted key for each of them: a file of a few hundred kilobytes could end the process, or keep it busy for minutes.
`tomli_w` quotes what is written.
"""

import re
from collections.abc import Mapping
from typing import Any

DEEPEST = 16
"""The most brackets that may be open at once. Our files have two."""
KEY_PARTS = 16
"""The most parts that a dotted key may have. `reader.pin` has two."""

_MARK = re.compile(
    r'"""(?:[^"\\]++|\\.|"{1,2}(?!"))*+(?:"{3,5})?'  # the end may be missing: tomllib says so, and reads no further
    r"|'''(?:[^']++|'{1,2}(?!'))*+(?:'{3,5})?"
    r'|"(?:[^"\\\n]++|\\[^\n])*+"?'
    r"|'[^'\n]*+'?"
    r"|#[^\n]*+"
    r"|[\[\]{}.,=\n]",
    re.DOTALL,
)
"""What can open a level, end one, or join the parts of a key; texts and comments, so that nothing in them does."""


_BARE = re.compile(r"[A-Za-z0-9_-]+")
"""A key without quotes."""


class TooIntricateError(ValueError):
    """Nested deeper, or with longer keys, than any file of ours."""


def read_toml(text: str) -> dict[str, Any]:
    """Raises TooIntricateError, or ValueError for what is no TOML; also for a number with thousands of digits."""
    import tomllib  # here, because it takes long to start and a screen never needs it

    text = text.removeprefix("\ufeff")
    _look_through(text)
    return tomllib.loads(text)


def _look_through(text: str) -> None:
    depth, parts = 0, 1
    for found in _MARK.finditer(text):
        match found[0]:
            case "[" | "{":
                depth, parts = depth + 1, 1
                if depth > DEEPEST:
                    raise TooIntricateError("it is nested too deeply")
            case "]" | "}":
                depth -= 1
            case ".":
                parts += 1
                if parts > KEY_PARTS:
                    raise TooIntricateError(f"a key in it has more than {KEY_PARTS} parts")
            case "," | "=" | "\n":
                parts = 1


# --- Writing --------------------------------------------------------------------------------------------------


def toml_text(data: Mapping[str, Any]) -> str:
    """As `tomli_w` has it, except that plain tables in a list are [[blocks]], whatever their length, and come last."""
    import tomli_w

    blocks = {key: value for key, value in data.items() if _BARE.fullmatch(key) and _are_plain_tables(value)}
    rest = {key: value for key, value in data.items() if key not in blocks}
    texts = [f"[[{key}]]\n{tomli_w.dumps(each)}" for key, value in blocks.items() for each in value]
    return "\n".join(([tomli_w.dumps(rest)] if rest else []) + texts)


def _are_plain_tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) and _is_plain(each) for each in value)


def _is_plain(table: Mapping[str, Any]) -> bool:
    """Whether it has no tables in it."""
    values = [each for value in table.values() for each in (value if isinstance(value, list) else [value])]
    return not any(isinstance(each, dict | list) for each in values)


def toml_value(value: str | int) -> str:
    """As it stands behind `key =`."""
    import tomli_w

    return tomli_w.dumps({"key": value}).removeprefix("key = ").removesuffix("\n")
