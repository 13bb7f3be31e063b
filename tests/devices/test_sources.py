"""Each modelled fact names its source: a data sheet, a manual, a measurement; or says that there is none."""

import ast
from pathlib import Path

import pytest

from companion import devices

FOLDER = Path(devices.__file__).parent
MODELS = (
    *("pn532/simulated_reader", "pn532/simulated_chip", "pn532/source_readings", "simulated/coupler"),
    *("pcsc/simulated_daemon", "pcsc/simulated_reader"),
    *("rc522/simulated_reader", "simulated/shared_field"),
    *("gpio/simulated_pigpiod", "gpio/simulated_header", "gpio/simulated_pins"),
)
"""Those of the PN532, of readers behind pcscd, and of the Pi's pins."""
WORD = "Source"


def unsourced(code: str) -> list[str]:
    """Constants of a module without a docstring below that says "Source: …". Several may share one."""
    waiting: list[str] = []
    without: list[str] = []
    for statement in ast.parse(code).body:
        names = [
            name.id for name in ast.walk(statement) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
        ]
        if isinstance(statement, ast.Assign) and all(name.isupper() and not name.startswith("_") for name in names):
            waiting += names
            continue
        said = (
            statement.value.value
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            else ""
        )
        if f"{WORD}: " not in str(said) and f"{WORD}," not in str(said):
            without += waiting
        waiting = []
    return without + waiting


@pytest.mark.parametrize("model", MODELS)
def test_every_constant_of_a_model_names_its_source(model: str) -> None:
    assert unsourced((FOLDER / f"{model}.py").read_text(encoding="utf-8")) == []


def test_a_constant_without_a_source_is_found() -> None:
    assert unsourced('A = 1\n"""What it is."""\nB = 2\nC = 3\n"""Source: a book."""\nD = 4\n') == ["A", "D"]
