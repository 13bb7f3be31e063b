"""The contract of every game: subclass `GameContract` in a game's tests, and pytest runs all of it.

    class TestGops(GameContract):
        name = "gops"

Games are played by chance, from seeds, so every run plays the same ones. A game may widen what is tried (`boxes`,
`forms`), steer chance so that its games end (`choose`), and say which secrets a table can tell apart (`alike`).
"""

from companion.gamekit.contract.part_properties import AroundContract
from companion.gamekit.contract.rule_properties import RulesContract
from companion.gamekit.contract.search_properties import SearchContract
from companion.gamekit.contract.secret_properties import SecretsContract


class GameContract(RulesContract, SecretsContract, SearchContract, AroundContract):
    """All of it."""


__all__ = ["GameContract"]
