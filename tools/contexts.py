"""Which test started a child process whose coverage is recorded: `pytest -p tools.contexts --cov --cov-context=test`.

pytest-cov names the test for the lines that pytest's own process enters. Children get their settings from an
environment variable of coverage's (`patch = ["subprocess"]`); here the name of the test is put into it.
"""

import base64
import json
import os
from collections.abc import Generator

import pytest

SETTINGS = "COVERAGE_PROCESS_CONFIG"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    if given := os.environ.get(SETTINGS):
        settings = json.loads(base64.b64decode(given)) | {"context": f"{item.nodeid}|child"}
        os.environ[SETTINGS] = base64.b64encode(json.dumps(settings).encode()).decode()
    return (yield)
