"""The reader does what every reader does."""

from esphome_reader import EsphomeSettings

from companion.devices.reader_contract import ReaderContract


class TestEsphome(ReaderContract):
    kind = EsphomeSettings
