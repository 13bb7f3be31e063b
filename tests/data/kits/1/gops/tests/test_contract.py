"""GOPS keeps the contract of all games."""

from companion.gamekit.contract import GameContract


class TestGops(GameContract):
    name = "gops"
