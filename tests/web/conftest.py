"""A browser for all tests that need one."""

import asyncio
from collections.abc import Iterator

import pytest

from tests.web.browser import Chromium, need_chromium


@pytest.fixture(scope="package")
def in_browser() -> Iterator[Chromium]:
    need_chromium()
    with asyncio.Runner() as loop:
        chromium = Chromium(loop)
        yield chromium
        chromium.close()
