"""The package for ESPHome boards keeps the contract of all readers, on a real Mosquitto."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.devices import reader_kinds
from companion.devices.reader_contract import ReaderContract
from tests.hall.brokers import needs_mosquitto
from tests.strangers import ESPHOME, announce_reader

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def esphome(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[type]:
    """Found as if pip had installed it."""
    needs_mosquitto()
    site = tmp_path_factory.mktemp("site")
    announce_reader(site, "esphome", "esphome_reader:EsphomeSettings")
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.syspath_prepend(str(ESPHOME))
    reader_kinds.look_again()
    kind = reader_kinds.find("esphome")
    assert isinstance(kind, type)
    yield kind
    monkeypatch.undo()
    reader_kinds.look_again()
    for name in [name for name in sys.modules if name.startswith("esphome_reader")]:
        del sys.modules[name]


class TestEsphome(ReaderContract):
    @pytest.fixture(autouse=True)
    def found(self, esphome: Any) -> None:
        type(self).kind = esphome


def test_its_own_tests_pass(tmp_path: Path) -> None:
    import importlib.util

    place = ESPHOME / "tests" / "test_driver.py"
    spec = importlib.util.spec_from_file_location("esphome_reader_tests", place)
    assert spec is not None
    assert spec.loader is not None
    own = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(own)
    own.test_a_board_that_flaps_keeps_its_tag_and_an_absence_has_to_last(tmp_path)
    for payload, uid in own.test_a_number_is_read_as_esphome_writes_it.pytestmark[0].args[1]:
        own.test_a_number_is_read_as_esphome_writes_it(payload, uid)
