"""The reader does what every reader does."""

from zaparoo_reader import ZaparooSettings

from companion.devices.reader_contract import ReaderContract


class TestZaparoo(ReaderContract):
    kind = ZaparooSettings
