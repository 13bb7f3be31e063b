"""What is published, built once for all tests that need it: one worker runs them (`TOGETHER` in tests/conftest.py)."""

from pathlib import Path

import pytest

from tools import release


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    (wheel,) = release.built(tmp_path_factory.mktemp("dist"), "--wheel")
    return wheel
