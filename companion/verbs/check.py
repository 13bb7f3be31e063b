"""`companion check NAME`: whether an installed game keeps the contract of all games. It needs no pytest.

With a seed and an action, as a failure names them, it shows that position: the table before the action, what may be
done there, and what the rules make of the action.
"""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from companion.errors import UsageError
from companion.gamekit import discovery


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("game", help="an installed game")
    parser.add_argument("--seed", type=int, metavar="N", help="show a position: of the game that this seed plays")
    parser.add_argument(
        "--action", type=int, metavar="K", help="the position before the action of this number (from 1)"
    )
    parser.add_argument("--tests", type=Path, metavar="FILE", help="a file of tests with the game's own GameContract")


def run(said: Namespace) -> int:
    """0: it keeps the contract; 1: it does not. Raises UsageError, GameError."""
    from companion.gamekit.contract.check_report import check, contract_of, show

    discovery.manifest(said.game)
    if said.action is not None and said.seed is None:
        raise UsageError("which game is that an action of? Say --seed, too")
    contract = contract_of(said.game, said.tests)()
    return check(contract, print) if said.seed is None else show(contract, said.seed, said.action or 0, print)
