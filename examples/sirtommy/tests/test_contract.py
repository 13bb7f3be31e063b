"""Sir Tommy keeps the contract of all games."""

from companion.gamekit.contract import GameContract


class TestSirTommy(GameContract):
    name = "sirtommy"
