"""Parses the source of companion/: what each module imports, defines and calls."""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import companion

ROOT = Path(companion.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))


def name_of(path: Path) -> str:
    """companion/games/box.py → companion.games.box"""
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


class _Modules(Mapping[str, ast.Module]):
    """Parses a module on first use: most test workers need none of them."""

    def __init__(self) -> None:
        self._paths = {name_of(path): path for path in FILES}
        self._trees: dict[str, ast.Module] = {}

    def __getitem__(self, name: str) -> ast.Module:
        if name not in self._trees:
            self._trees[name] = ast.parse(self._paths[name].read_text(encoding="utf-8"))
        return self._trees[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


MODULES = _Modules()


def is_within(name: str, *places: str) -> bool:
    """companion.games.box is within companion.games, companion.gamesters does not. A `*` stands for one name."""
    return any(_matches(name.split("."), place.split(".")) for place in places)


def _matches(name: list[str], place: list[str]) -> bool:
    return len(name) >= len(place) and all(want in (have, "*") for have, want in zip(name, place, strict=False))


def imports(module: str) -> Iterator[tuple[str, int]]:
    """Every module that this one imports, also inside functions, with the line."""
    for node in ast.walk(MODULES[module]):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{module}:{node.lineno}: imports are written out in full"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield (inner if inner in MODULES else str(node.module)), node.lineno


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


@cache
def calls(module: str) -> tuple[ast.Call, ...]:
    return tuple(node for node in ast.walk(MODULES[module]) if isinstance(node, ast.Call))


def called(node: ast.Call) -> str:
    """Ruling(…) and game.Ruling(…) → Ruling"""
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
