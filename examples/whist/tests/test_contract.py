"""Whist keeps the contract of all games."""

from companion.gamekit.contract import GameContract


class TestWhist(GameContract):
    name = "whist"
