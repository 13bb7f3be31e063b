"""What the fields of a struct mean, from the docstrings beneath them: for `help(Game)`, and for docs/add-a-game.md.

A docstring says what the field is for. What follows "Left out:" is its default in words, what follows "Example:" shows
how it is written.
"""

import ast
import inspect
import re
from textwrap import dedent, fill, indent

from msgspec import Struct

WIDTH = 100


class FieldMeaning(Struct, frozen=True):
    name: str
    meaning: str
    default: str
    example: str


def field_meanings(kind: type) -> tuple[FieldMeaning, ...]:
    """Of each field, in the order of the source."""
    (definition,) = ast.parse(dedent(inspect.getsource(kind))).body
    assert isinstance(definition, ast.ClassDef)
    body = definition.body
    return tuple(
        _meaning(field.target.id, field.value, _docstring(following))
        for field, following in zip(body, [*body[1:], None], strict=True)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
    )


def _docstring(node: ast.stmt | None) -> str:
    match node:
        case ast.Expr(ast.Constant(str(text))):
            return " ".join(text.split())
    return ""


def _meaning(name: str, value: ast.expr | None, text: str) -> FieldMeaning:
    text, _, example = text.partition("Example: ")
    text, _, left_out = re.sub(r"; left out: |(^|[.] )Left out: ", r"\1\0", text).partition("\0")
    written = "" if value is None else ast.unparse(value)
    default = left_out.strip() or (f"`{written}`" if written not in ("", "LEFT_OUT", "None", "''") else "")
    return FieldMeaning(name, text.strip(), default if value is not None else "it has to be there", example.strip())


def in_markdown(kind: type) -> str:
    """A table with a row for each field."""
    rows = [
        " | ".join(cell.replace("|", "\\|") for cell in (f"`{each.name}`", each.meaning, each.default, each.example))
        for each in field_meanings(kind)
    ]
    return "\n".join(["| field | meaning | left out | example |", "|---|---|---|---|", *(f"| {row} |" for row in rows)])


def in_help(kind: type) -> str:
    return "\n\n".join(map(_in_help, field_meanings(kind)))


def _in_help(field: FieldMeaning) -> str:
    told = {"": field.meaning, "Left out: ": field.default, "Example: ": field.example}
    lines = [indent(fill(f"{what}{text}", WIDTH), "    ") for what, text in told.items() if text]
    return "\n".join([field.name, *lines])
