"""The contract of every game: subclass `GameContract` in a game's tests, and pytest runs all of it.

    class TestGops(GameContract):
        name = "gops"

`companion check gops` runs the same without pytest. Games are played by chance, from seeds, so every run plays the same
ones. A game may widen what is tried (`boxes`, `forms`), steer chance so that its games end (`choose`), and say which
secrets a table can tell apart (`alike`).

What fails says what was expected, what was found, in which position, and the command that shows that position again. A
mistake fails one test; others that meet it are skipped.
"""

from companion.gamekit.contract import assertions as assertions
from companion.gamekit.contract.hand_properties import HandsContract
from companion.gamekit.contract.part_properties import AroundContract
from companion.gamekit.contract.rule_properties import PlayingContract, RulesContract
from companion.gamekit.contract.search_properties import SearchContract
from companion.gamekit.contract.secret_properties import SecretsContract


class GameContract(SearchContract, AroundContract, HandsContract, SecretsContract, RulesContract, PlayingContract):
    """All of it. pytest runs the last base first, so what everything else rests on comes first."""


__all__ = ["GameContract"]
