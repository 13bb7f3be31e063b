"""Lets pytest rewrite the asserts of this package, so that a plain one says what it compared. It is imported before the
others; without pytest it does nothing."""

import sys
from pathlib import Path

if pytest := sys.modules.get("pytest"):
    parts = [path.stem for path in Path(__file__).parent.glob("*_*.py") if path.stem != "__init__"]
    pytest.register_assert_rewrite(*(f"{__package__}.{part}" for part in parts))
