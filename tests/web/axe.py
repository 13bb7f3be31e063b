"""axe-core in a page: it finds what a player with another eye, ear or hand could not use."""

from pathlib import Path

import pytest
from playwright.async_api import Page

AXE = Path(".venv/axe/node_modules/axe-core/axe.min.js")
needs_axe = pytest.mark.skipif(not AXE.exists(), reason="axe-core is not here: make installs it where npm is")


async def findings(page: Page) -> list[str]:
    """Everything that it finds, however slight. It runs beside the page's own script: the page's policy stays as it
    is."""
    await page.evaluate(AXE.read_text(encoding="utf-8") + "\n;undefined")
    found = await page.evaluate("async () => (await axe.run(document)).violations")
    return [f"{each['id']}: {each['help']}: {each['nodes'][0]['html'][:200]}" for each in found]
