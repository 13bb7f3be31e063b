"""Every kind of reader that ships does what all of them do, on its simulated part."""

import pytest

from companion.devices.pcsc.settings import PcscSettings
from companion.devices.pn532.settings import Pn532Settings
from companion.devices.rc522.settings import Rc522Settings
from companion.devices.reader_contract import ReaderContract
from tests.pcsc import needs_pcscd


@pytest.mark.slow
class TestRc522(ReaderContract):
    kind = Rc522Settings


@pytest.mark.slow
class TestPn532(ReaderContract):
    kind = Pn532Settings


@pytest.mark.slow
class TestPcsc(ReaderContract):
    kind = PcscSettings

    @pytest.fixture(autouse=True)
    def daemon(self, tmp_path, monkeypatch) -> None:
        needs_pcscd()
