"""A box as the text of its file."""

import json
from typing import Any

from companion.enrolment.step import Data

HEAD = "# What is printed on your own pieces, as `companion enroll` asked for it. It may be changed by hand.\n\n"


def toml_text(data: Data) -> str:
    """TOML of keys with texts, numbers and lists of them, and of lists of tables, which come last."""
    tables = {
        key: value for key, value in data.items() if value and isinstance(value, list) and isinstance(value[0], dict)
    }
    plain = [_line(key, value) for key, value in data.items() if key not in tables]
    blocks = [
        "\n".join(["", f"[[{key}]]", *(_line(*pair) for pair in each.items())])
        for key in tables
        for each in tables[key]
    ]
    return HEAD + "\n".join([*plain, *blocks]) + "\n"


def _line(key: str, value: Any) -> str:
    return f"{key} = {_value(value)}"


def _value(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return str(value) if isinstance(value, int) else json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
