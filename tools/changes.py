"""Small changes to Python source, one at a time: what a careless hand might do. `tools.mutants` tries them out."""

import ast
from collections.abc import Iterator
from copy import deepcopy
from itertools import accumulate
from typing import TypeVar

from msgspec import Struct

FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
SWAPPED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}

_GENERIC = frozenset({"dict", "list", "set", "frozenset", "tuple", "type", "Callable", "Mapping", "Sequence"})
_LATER = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

N = TypeVar("N", bound=ast.AST)


class Change(Struct, frozen=True):
    """One thing that is different in a source file: where, what was there, and what stands there now."""

    path: str
    line: int
    kind: str
    before: str
    after: str
    start: int
    """Where it stands, in bytes."""
    code: str
    """The whole line."""
    at_import: bool
    """Carried out while the file is imported: a constant, for instance."""

    def __str__(self) -> str:
        before, after = (" ".join(text.split()) for text in (self.before, self.after))
        return f"{self.path}:{self.line}: {self.kind}: {before}  →  {after}"

    @property
    def key(self) -> tuple[str, str, str]:
        """File, line and change: the same wherever the line moves to."""
        before, after = (" ".join(text.split()) for text in (self.before, self.after))
        return self.path, self.code, f"{before}  →  {after}"

    def applied(self, source: bytes) -> bytes:
        """The file with the change in it."""
        end = self.start + len(self.before.encode())
        return source[: self.start] + self.after.encode() + source[end:]


def changes(path: str, source: bytes) -> list[Change]:
    """Every change that is known here, in the order of the file."""
    lines = source.splitlines(keepends=True)
    starts = [0, *accumulate(map(len, lines))]
    found: list[Change] = []
    tree = ast.parse(source)
    inside = {id(each) for node in ast.walk(tree) if isinstance(node, _LATER) for each in ast.walk(node)}
    for node in _code(tree):
        for kind, new in _variants(node):
            old, text = _texts(node, new)
            if text:
                start = starts[old.lineno - 1] + old.col_offset
                end = starts[(old.end_lineno or old.lineno) - 1] + (old.end_col_offset or 0)
                found.append(
                    Change(
                        *(path, old.lineno, kind, source[start:end].decode(), text, start),
                        code=lines[old.lineno - 1].decode().strip(),
                        at_import=id(node) not in inside,
                    )
                )
    return sorted(found, key=lambda change: (change.start, change.kind, change.after))


def _code(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """What is carried out, with everything in it: no type, no decorator, no setting of a class, no assert, and nothing
    in an f-string, of which older Pythons do not know where it stands."""
    skipped: list[ast.AST | None] = []
    if isinstance(node, ast.Assert | ast.JoinedStr | ast.Import | ast.ImportFrom):
        return
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in _GENERIC:
        return
    if isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation).endswith("TypeAlias"):
        return
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        skipped += node.decorator_list
        if isinstance(node, ast.ClassDef):
            skipped += node.keywords
        else:
            skipped += [node.returns, *(each.annotation for each in ast.walk(node.args) if isinstance(each, ast.arg))]
    if isinstance(node, ast.AnnAssign):
        skipped.append(node.annotation)
    if isinstance(node, ast.expr | ast.stmt):
        yield node
    for child in ast.iter_child_nodes(node):
        if child not in skipped and not isinstance(child, ast.arguments):
            yield from _code(child)


def _variants(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """What may stand there instead."""
    yield from _of_a_statement(node) if isinstance(node, ast.stmt) else _of_an_expression(node)


def _of_a_statement(node: ast.stmt) -> Iterator[tuple[str, ast.AST]]:
    match node:
        case ast.If(test=test):
            yield "condition", _with(node, test=ast.UnaryOp(ast.Not(), test))
        case ast.Expr(value=ast.Call()) | ast.Expr(value=ast.Await()):
            yield "dropped call", ast.Pass()
        case ast.AugAssign(op=operator) if type(operator) in SWAPPED:
            yield "arithmetic", _with(node, op=SWAPPED[type(operator)]())
        case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is False):
            yield "returns nothing", ast.Return(ast.Constant(None))  # instead of False it would change no condition
        case ast.Break() | ast.Continue():
            yield "loop", ast.Continue() if isinstance(node, ast.Break) else ast.Break()


def _of_an_expression(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in FLIPPED:
            yield "comparison", _with(node, ops=[FLIPPED[type(operator)]()])
        case ast.BoolOp(op=operator):
            yield "and, or", _with(node, op=ast.Or() if isinstance(operator, ast.And) else ast.And())
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "negation", operand
        case ast.BinOp(op=operator) if type(operator) in SWAPPED:
            yield "arithmetic", _with(node, op=SWAPPED[type(operator)]())
        case ast.Constant(value=bool(value)):
            yield "constant", ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield "off by one", ast.Constant(value + 1)
            yield "off by one", ast.Constant(value - 1)
        case ast.IfExp(body=body, orelse=orelse):
            yield "swapped branches", _with(node, body=orelse, orelse=body)
        case ast.Tuple(elts=[_, *_], ctx=ast.Load()) | ast.List(elts=[_, *_], ctx=ast.Load()):
            yield "emptied", _with(node, elts=[])
        case ast.Call(args=[ast.Constant(str(one)), ast.Constant(str(other)), *_]) if one != other:
            yield "swapped words", _with(node, args=[node.args[1], node.args[0], *node.args[2:]])


def _with(node: N, **fields: object) -> N:
    changed = deepcopy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _texts(node: ast.expr | ast.stmt, new: ast.AST) -> tuple[ast.expr | ast.stmt, str]:
    """What is replaced, of an `if` only its condition, and by which text; "" where nothing would change."""
    if isinstance(node, ast.If) and isinstance(new, ast.If):
        node, new = node.test, new.test
    if ast.dump(node) == ast.dump(new):
        return node, ""
    text = ast.unparse(ast.fix_missing_locations(new))
    return node, f"({text})" if isinstance(new, ast.expr) and not isinstance(new, ast.Constant) else text
