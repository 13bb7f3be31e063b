"""The packages in examples/ that the docs do not build: their own tests pass as a stranger would run them."""

import os
import shutil
from pathlib import Path

import pytest

from tests.strangers import GOPS, announce, run_in

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", ["whist", "sirtommy"])
def test_an_example_passes_its_own_tests(tmp_path: Path, name: str) -> None:
    shutil.copytree(GOPS.parent / name, tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    announce(tmp_path, name, name)
    tested = run_in(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "tests")
    assert " passed" in tested
    assert "skipped" not in tested
