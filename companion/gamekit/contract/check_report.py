"""Runs the contract of a game without pytest, and shows positions of the games that it plays."""

import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from traceback import format_exception
from typing import Any
from unittest import SkipTest

import msgspec

from companion.errors import UsageError
from companion.gamekit.contract import GameContract
from companion.gamekit.contract.failure import BrokenContractError, shown
from companion.gamekit.game import Game, Setup, Step
from companion.gamekit.game_start import Header, usual_names
from companion.language.wording import counted, listed, say

Tell = Callable[[str], None]
"""Takes a line."""
LISTED = 12
"""How many legal actions of a position are listed; the rest are counted."""


def contract_of(name: str, tests: Path | None) -> type[GameContract]:
    """The class that plays: the game's own from this file, else the contract as it is. Raises UsageError."""
    if tests is None:
        return type("Contract", (GameContract,), {"name": name})
    spec = spec_from_file_location("companion_checked_tests", tests)
    if spec is None or spec.loader is None or not tests.is_file():
        raise UsageError(f"{tests} is no Python file")
    sys.modules[spec.name] = module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise UsageError(f"{tests} cannot be imported: {type(error).__name__}: {error}") from None
    for made in vars(module).values():
        if isinstance(made, type) and issubclass(made, GameContract) and getattr(made, "name", "") == name:
            return made
    raise UsageError(f'{tests} has no class of GameContract with name = "{name}"')


# --- All of it ------------------------------------------------------------------------------------------------


def check(contract: GameContract, tell: Tell) -> int:
    """Run every property; tell what fails, line by line. Returns the exit status."""
    began, kept, broken, skipped = time.monotonic(), 0, 0, 0
    for test in properties(type(contract)):
        try:
            test(contract)
        except SkipTest:
            skipped += 1
        except BrokenContractError as failure:
            broken += 1
            tell(f"{failure}\n")
        else:
            kept += 1
    took = f"{time.monotonic() - began:.1f} s"
    if not broken:
        span = contract.game.players
        games = f"{counted(contract.games, 'game')} with {span[0]} to {span[-1]} players"
        tell(f"{contract.name} keeps the contract: {counted(kept, 'property', 'properties')}, {games} ({took}).")
        return 0
    not_tried = f", {skipped} could not be tried" if skipped else ""
    tell(f"{contract.name} breaks the contract: {broken} of {kept + broken + skipped} properties{not_tried} ({took}).")
    return 1


def properties(kind: type[GameContract]) -> Iterator[Callable[[GameContract], None]]:
    """In the order of pytest: those of base classes first."""
    found: dict[str, Callable[[GameContract], None]] = {}
    for each in reversed(kind.__mro__):
        if each.__module__.startswith("companion.gamekit.contract"):
            found |= {name: made for name, made in vars(each).items() if name.startswith("test_")}
    return iter(found.values())


# --- One position ---------------------------------------------------------------------------------------------


def show(contract: GameContract, seed: int, number: int, tell: Tell) -> int:
    """Tell a position, and what becomes of its action. Returns 1 if the rules fail there."""
    setups = contract.setups()
    if not 0 <= seed < len(setups):
        raise UsageError(f"there is no game {seed}; the games are 0 to {len(setups) - 1}")
    game, setup = contract.game, setups[seed]
    names, state, count = usual_names(setup.players), None, 0
    tell(msgspec.json.encode(Header(game.name, names, setup.first, msgspec.to_builtins(setup.options))).decode())
    try:
        for count, moment in enumerate(contract.played(setup, seed), 1):
            if count == number:
                _tell_position(game, moment.before, moment.action, tell)
                _tell_step(game, setup, moment.step, tell)
                return 0
            tell(shown(moment.action))
            state = moment.step.state
    except Exception as error:  # of the game's own code, or an action that is legal and refused
        if contract.spot and contract.spot.action:
            _tell_position(game, game.setup(setup) if state is None else state, contract.spot.done, tell)
        tell(f"  {error.found}" if isinstance(error, BrokenContractError) else "".join(format_exception(error)))
        return 1
    if number:
        raise UsageError(f"game {seed} is over after {counted(count, 'action')}")
    return 0


def _tell_position(game: Game[Any, Any], state: Any, action: Any, tell: Tell) -> None:
    """The table, what may be done, and what is done."""
    legal = list(game.legal(state))
    tell("\nThe table")
    _tell_table(game, state, tell)
    tell("\nLegal now")
    for each in legal[:LISTED]:
        tell(f"  {shown(each)}")
    if len(legal) > LISTED:
        tell(f"  … and {len(legal) - LISTED} more")
    tell(f"\n{shown(action)}")


def _tell_step(game: Game[Any, Any], setup: Setup, step: Step[Any], tell: Tell) -> None:
    """What the rules made of it."""
    names, word = usual_names(setup.players), partial(game.word, setup.box)
    for ruling in step.rulings:
        tell(f"  {ruling.rule or '':>4}  {say(ruling, game.sentences, names, word=word)}")
    if step.revealed:
        tell(f"        revealed: what {listed([names[seat] for seat in step.revealed])} hid")
    tell("\nThe table after it")
    _tell_table(game, step.state, tell)


def _tell_table(game: Game[Any, Any], state: Any, tell: Tell) -> None:
    for name, value in msgspec.to_builtins(game.table(state)).items():
        tell(f"  {name}: {shown(value)}")
