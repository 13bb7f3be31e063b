"""The contract teaches: each planted bug is one failure, and its text says what was expected, what was found, where, and
how to see that position again."""

import re
import shlex
from pathlib import Path
from unittest import SkipTest

import pytest

from companion.gamekit.contract import GameContract
from companion.gamekit.contract.check_report import properties
from companion.gamekit.contract.failure import BrokenContractError
from tests.bulls import bulls_installed, written
from tests.strangers import run_in
from tests.verbs.command import Command

# ruff: noqa: E501  # a line of the contract is as long as what it names

PLANTED = {
    "apply raises": (
        {
            '    row = int(card.rpartition("-")[2]) % 4\n': '    row = {"1": 1, "2": 2, "3": 3}[card.rpartition("-")[2]]\n'
        },
        """
chance can play every game to its end
  expected: `apply` raises nothing: an exception is a bug, a refusal is a value
  found:    KeyError: '7'
            in bulls.py, line N, in apply: row = {"1": 1, "2": 2, "3": 3}[card.rpartition("-")[2]]
  where:    game 0: 2 players, seat 0 begins; action 1: {"do":"lay","seat":0,"card":"bull-7"}
  replay:   companion check bulls --seed 0 --action 1
""",
    ),
    "setup raises": (
        {
            "    cards = [piece.id for piece in pieces(agreed.box)]": "    cards = [piece.id for piece in pieces(agreed.case)]"
        },
        """
chance can play every game to its end
  expected: `setup` raises nothing: an exception is a bug, a refusal is a value
  found:    AttributeError: 'Setup' object has no attribute 'case'
            in bulls.py, line N, in setup: cards = [piece.id for piece in pieces(agreed.case)]
  where:    game 0: 2 players, seat 0 begins; set up
  replay:   companion check bulls --seed 0
""",
    ),
    "apply raises for a seat that is none": (
        {
            "    if action.seat != state.turn:\n        return": '    if not state.hands[action.seat]:\n        return Refusal("B3", "the game is over")\n    if action.seat != state.turn:\n        return'
        },
        """
nothing raises and a refusal changes nothing
  expected: `apply` raises nothing: an exception is a bug, a refusal is a value
  found:    IndexError: tuple index out of range
            in bulls.py, line N, in apply: if not state.hands[action.seat]:
            tried in place of this action: {"do":"lay","seat":2,"card":"bull-3"}
  where:    game 0: 2 players, seat 0 begins; action 1: {"do":"lay","seat":0,"card":"bull-7"}
  replay:   companion check bulls --seed 0 --action 1
""",
    ),
    "meaning raises with one reader": (
        {
            "GAME = Game(": 'def meaning(state, gesture):\n    if isinstance(gesture, Laid):\n        return Lay(gesture.seat + 0, gesture.piece.id)\n    return Aside("idle", "means nothing now")\n\n\nGAME = Game(',
            "    whereabouts=whereabouts,\n": "    whereabouts=whereabouts,\n    meaning=meaning,\n",
        },
        """
every gesture means something with every kit
  expected: `meaning` raises nothing: an exception is a bug, a refusal is a value
  found:    TypeError: unsupported operand type(s) for +: 'NoneType' and 'int'
            in bulls.py, line N, in meaning: return Lay(gesture.seat + 0, gesture.piece.id)
            tried in place of this action: "kit one: Laid(piece=Thing(kind='card', id='bull-1', owner=None), seat=None)"
  where:    game 0: 2 players, seat 0 begins; action 1: {"do":"lay","seat":0,"card":"bull-7"}
  replay:   companion check bulls --seed 0 --action 1
""",
    ),
    "a laid card stays in the hand": (
        {"tuple(tuple(c for c in hand if c != card) for hand in state.hands)": "state.hands"},
        """
chance can play every game to its end
  expected: `whereabouts` has as many pieces of each kind as at the beginning: {'card': 8}
  found:    after this action {'card': 9}
  where:    game 0: 2 players, seat 0 begins; action 1: {"do":"lay","seat":0,"card":"bull-7"}
  replay:   companion check bulls --seed 0 --action 1
""",
    ),
    "whereabouts forgets cards": (
        {'            lying[Thing("card", card), Place("taken", seat)] = 1': "            pass"},
        """
pieces are conserved
  expected: `whereabouts` has as many pieces of each kind as at the beginning: {'card': 8}
  found:    after this action {'card': 6}
  where:    game 0: 2 players, seat 0 begins; action 4: {"do":"lay","seat":1,"card":"bull-4"}
  replay:   companion check bulls --seed 0 --action 4
""",
    ),
    "legal lists what is refused": (
        {"for card in state.hands[state.turn]]": "for card in sum(state.hands, ())]"},
        """
chance can play every game to its end
  expected: `apply` gives a Step for every action that `legal` lists
  found:    `legal` lists this action, and `apply` gives a Refusal B3, 'not in hand', {'seat': 0, 'card': 'bull-6'}
  where:    game 0: 2 players, seat 0 begins; action 1: {"do":"lay","seat":0,"card":"bull-6"}
  replay:   companion check bulls --seed 0 --action 1
""",
    ),
    "something else each time": (
        {
            '    rulings = [Ruling("B3", "lays", {"seat": seat, "card": card})]\n': '    COUNT.append(card)\n    rulings = [Ruling("B3", "lays", {"seat": seat, "card": str(len(COUNT))})]\n',
            "MANIFEST = {": "COUNT = []\nMANIFEST = {",
        },
        """
the same actions lead to the same table
  expected: `apply` gives the same Step for the same state and action, each time
  found:    .rulings[0].facts['card']: '1' and '65'
  where:    game 0: 2 players, seat 0 begins; action 1: {"do":"lay","seat":0,"card":"bull-7"}
  replay:   companion check bulls --seed 0 --action 1
""",
    ),
    "a list in the state": (
        {
            "    hands = tuple(tuple(cards[seat :: agreed.players]) for seat in range(agreed.players))": "    hands = tuple(cards[seat :: agreed.players] for seat in range(agreed.players))"
        },
        """
states are frozen
  expected: a state is made of frozen structs, tuples, numbers and words
  found:    state.hands[0] is a list, state.hands[1] is a list
  where:    game 0: 2 players, seat 0 begins; set up
  replay:   companion check bulls --seed 0
""",
    ),
    "an action that is not frozen": (
        {'class Lay(Struct, frozen=True, tag_field="do", tag="lay")': 'class Lay(Struct, tag_field="do", tag="lay")'},
        """
every action is a frozen struct with a name of its own
  expected: an action is declared like `class Bid(Struct, frozen=True, tag_field="do", tag="bid")`
  found:    Lay: frozen=False, tag_field='do'
""",
    ),
    "a ruling without a sentence": (
        {'    "takes": "{seat} takes {count:card|cards}",\n': ""},
        """
everything that is ruled has a sentence and its facts
  expected: `sentences` has one for the message id 'takes'
  found:    none
  where:    game 0: 2 players, seat 0 begins; action 4: {"do":"lay","seat":1,"card":"bull-4"}
  replay:   companion check bulls --seed 0 --action 4
""",
    ),
    "a sentence without its fact": (
        {'"takes", {"seat": seat, "count": len(laid)}': '"takes", {"seat": seat}'},
        """
everything that is ruled has a sentence and its facts
  expected: every fact that a sentence names is given with it: '{seat} takes {count:card|cards}'
  found:    'takes' is said with the facts ['seat']
  where:    game 0: 2 players, seat 0 begins; action 4: {"do":"lay","seat":1,"card":"bull-4"}
  replay:   companion check bulls --seed 0 --action 4
""",
    ),
    "points without a sentence": (
        {'"heads", len(cards), "B5", "heads", {"seat"': '"heads", len(cards), "B5", "bull heads", {"seat"'},
        """
every point and every note has a sentence and its facts
  expected: `sentences` has one for the message id 'bull heads'
  found:    none
  where:    game 0: 2 players, seat 0 begins; action 8: {"do":"lay","seat":1,"card":"bull-2"}
  replay:   companion check bulls --seed 0 --action 8
""",
    ),
    "the fewest win, and nobody says so": (
        {
            "    lowest_wins=True,\n": "    winners=lambda state: tuple(s for s, c in enumerate(state.taken) if len(c) == min(map(len, state.taken))),\n"
        },
        """
every game ends with points for everybody and a winner
  expected: `winners` are seats with the most points (4), ascending, at least one, unless all are one team; the totals are [4, 2, 2]
  found:    (1, 2); if the fewest points win, say `lowest_wins=True`
  where:    game 2: 3 players, seat 1 begins; action 8: {"do":"lay","seat":0,"card":"bull-4"}
  replay:   companion check bulls --seed 2 --action 8
""",
    ),
    "a field that is not per player": (
        {'per_player=("hands", "taken")': 'per_player=("hands", "rows")'},
        """
what transcripts promise about the table is there
  expected: `table` has a field 'rows', which `per_player` declares, with 2 entries
  found:    ((), (), (), ('bull-7',))
  where:    game 0: 2 players, seat 0 begins; action 1: {"do":"lay","seat":0,"card":"bull-7"}
  replay:   companion check bulls --seed 0 --action 1
""",
    ),
    "the wrong player is awaited": (
        {
            "    unit=": '    awaiting=lambda state: Awaiting((0,), ("lay",)) if any(state.hands) else None,\n    unit=',
            "import Aside, Draft,": "import Aside, Awaiting, Draft,",
        },
        """
who is awaited and for what agrees with what is legal
  expected: `awaiting.seats` are the seats of the legal actions: [1]
  found:    (0,)
  where:    game 0: 2 players, seat 0 begins; action 2: {"do":"lay","seat":1,"card":"bull-8"}
  replay:   companion check bulls --seed 0 --action 2
""",
    ),
    "half an action that nothing continues": (
        {
            "    whereabouts=whereabouts,\n": '    whereabouts=whereabouts,\n    meaning=lambda state, gesture: Draft((), "lays half"),\n',
            '    "heads": "{seat} took': '    "lays half": "Half",\n    "heads": "{seat} took',
        },
        """
every gesture means something with every kit
  expected: a game that gives a Draft brings `continued`
  found:    Draft(so_far=(), what='lays half', facts={})
  where:    game 0: 2 players, seat 0 begins; action 1: {"do":"lay","seat":0,"card":"bull-7"}
  replay:   companion check bulls --seed 0 --action 1
""",
    ),
    "an action after the end": (
        {
            '    if not any(state.hands):\n        return Refusal("B5", "the game is over")\n': "",
            '        return Refusal("B3", "not in hand", {"seat": action.seat, "card": action.card})\n': '        return Step(state, (Ruling("B3", "not in hand", {"seat": action.seat, "card": action.card}),))\n',
        },
        """
after the end every action is refused
  expected: after the end `apply` refuses every action, such as {"do":"lay","seat":1,"card":"bull-8"}
  found:    a Step with the rulings ['not in hand']
  where:    game 0: 2 players, seat 0 begins; action 8: {"do":"lay","seat":1,"card":"bull-2"}
  replay:   companion check bulls --seed 0 --action 8
""",
    ),
    "a secret in a ruling": (
        {"    unit=": "    conceals=lambda action: action.seat,\n    unit="},
        """
no snapshot and no refusal tells a secret
  expected: what is ruled tells no player what another one hides, before it is revealed
  found:    [0].facts['card']: 'bull-7' and 'bull-5'
            after {"do":"lay","seat":0,"card":"bull-7"} and after another in its place (bull-5, bull-7)
  where:    game 0: 2 players, seat 0 begins; action 1: {"do":"lay","seat":0,"card":"bull-7"}
  replay:   companion check bulls --seed 0 --action 1
""",
    ),
    "a card that is read twice across a deal": (
        {
            "    return Step(State(hands, rows, taken, turn), tuple(rulings))": "    if not any(hands) and not any(rows):  # one more deal, and the card that lies on the reader may be in it\n        hands = tuple((card,) if s == turn else () for s in range(len(hands)))\n        taken = tuple(tuple(c for c in t if c != card) for t in taken)\n    return Step(State(hands, rows, taken, turn), tuple(rulings))"
        },
        """
a piece that is read twice counts once
  expected: a piece that is read twice counts once, with kit one: Laid(piece=Thing(kind='card', id='bull-2', owner=None), seat=None) has just meant this action
  found:    read again it means {"do":"lay","seat":1,"card":"bull-2"}, and that is accepted
            remember what was laid last, and let `meaning` give Aside("repeated", …) for it
  where:    game 0: 2 players, seat 0 begins; action 8: {"do":"lay","seat":1,"card":"bull-2"}
  replay:   companion check bulls --seed 0 --action 8
""",
    ),
    "players that deal, without deals": (
        {
            'MANIFEST = {"name": "bulls",': 'from companion.gamekit.default_parts import AnyPlayers\n\n\nclass Players(AnyPlayers):\n    def table_does(self, state):\n        return ()\n\n    def from_hand(self, state):\n        return ()\n\n    def dealt(self, game, past, state, seat):\n        return ()\n\n\nMANIFEST = {"players": "bulls:Players", "name": "bulls",'
        },
        """
players that deal have all that dealing needs
  expected: simulated players that deal have all of `Dealing`: deals, table_does, from_hand, dealt
  found:    Players has table_does, from_hand, dealt, but not deals
""",
    ),
    "a label that is wider than its button": (
        {
            'MANIFEST = {"name": "bulls",': 'from companion.gamekit.screen import Choice, Face, Headline, Menu\nfrom textual.content import Content\nfrom companion.gamekit.screen import Command\n\n\nclass Looks(Face):\n    def commands(self, sight=None):\n        return (Command("lay", ("b",), "Lay"),)\n\n    def headline(self, sight):\n        return Headline(("lay",), "lay")\n\n    def panels(self, sight, width, tall):\n        return [Content("a table")]\n\n    def choices(self, sight, actions):\n        return Menu("Which?", [Choice(f"the bull {each[\'card\']}", each) for each in actions])\n\n\nFACE = Looks()\nMANIFEST = {"face": "bulls:FACE", "name": "bulls",'
        },
        """
the table can be drawn at every size and in every language
  expected: a key and its label in a menu with columns=3 have at most 16 cells: else cut
  found:    17 cells: '1 the bull bull-2'; say fewer columns, or fewer words
  where:    game 0: 2 players, seat 0 begins; action 1: {"do":"lay","seat":0,"card":"bull-7"}
  replay:   companion check bulls --seed 0 --action 1
""",
    ),
    "a line that is wider than a phone": (
        {
            'MANIFEST = {"name": "bulls",': 'from companion.gamekit.screen import Choice, Face, Headline, Menu\nfrom textual.content import Content\nfrom companion.gamekit.screen import Command\n\n\nclass Looks(Face):\n    def commands(self, sight=None):\n        return (Command("lay", ("b",), "Lay"),)\n\n    def headline(self, sight):\n        return Headline(("lay",), "lay")\n\n    def panels(self, sight, width, tall):\n        return [Content("a table")]\n\n    def phone_panels(self, sight, width):\n        return [Content("a table\\n" + 40 * "x")]\n\n    def choices(self, sight, actions):\n        return Menu("Which?", [Choice(f"{each[\'card\']}", each) for each in actions])\n\n\nFACE = Looks()\nMANIFEST = {"face": "bulls:FACE", "name": "bulls",'
        },
        """
the table can be drawn at every size and in every language
  expected: no line of `phone_panels` is wider than a phone of 34 cells
  found:    40 cells: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'
  where:    game 0: 2 players, seat 0 begins; action 1: {"do":"lay","seat":0,"card":"bull-7"}
  replay:   companion check bulls --seed 0 --action 1
""",
    ),
    "a headline whose big letters are one text": (
        {
            'MANIFEST = {"name": "bulls",': 'from companion.gamekit.screen import Call, Choice, Command, Face, Headline, Menu\nfrom textual.content import Content\n\n\nclass Looks(Face):\n    reveals = frozenset({"lays"})\n\n    def commands(self, sight=None):\n        return (Command("lay", ("b",), "Lay"),)\n\n    def headline(self, sight):\n        return Headline(("lay"), "lay")\n\n    def panels(self, sight, width, tall):\n        return [Content("a table")]\n\n    def choices(self, sight, actions):\n        return Menu("Which?", [Choice(f"{each[\'card\']}", each) for each in actions])\n\n    def calls(self, sight, lines, width, tall):\n        return [Call(("lay",)) for told in lines]\n\n\nFACE = Looks()\nMANIFEST = {"face": "bulls:FACE", "name": "bulls",'
        },
        """
the table can be drawn at every size and in every language
  expected: `Headline.big` is a tuple of texts, the longest first
  found:    'lay'
  where:    game 0: 2 players, seat 0 begins; action 1: {"do":"lay","seat":0,"card":"bull-7"}
  replay:   companion check bulls --seed 0 --action 1
""",
    ),
    "a picture of a menu that no screen can draw": (
        {
            'MANIFEST = {"name": "bulls",': 'from companion.gamekit.screen import Call, Choice, Command, Face, Headline, Menu\nfrom textual.content import Content\n\n\nclass Looks(Face):\n    reveals = frozenset({"lays"})\n\n    def commands(self, sight=None):\n        return (Command("lay", ("b",), "Lay"),)\n\n    def headline(self, sight):\n        return Headline(("lay",), "lay")\n\n    def panels(self, sight, width, tall):\n        return [Content("a table")]\n\n    def choices(self, sight, actions):\n        return Menu("Which?", [Choice(f"{each[\'card\']}", each) for each in actions], picture="a table")\n\n    def calls(self, sight, lines, width, tall):\n        return [Call(("lay",)) for told in lines]\n\n\nFACE = Looks()\nMANIFEST = {"face": "bulls:FACE", "name": "bulls",'
        },
        """
the table can be drawn at every size and in every language
  expected: `choices` raises nothing: an exception is a bug, a refusal is a value
  found:    TypeError: the picture of the menu 'Which?' has to be a `Content`, not a str
            in bulls.py, line N, in choices: return Menu("Which?", [Choice(f"{each['card']}", each) for each in actions], picture="a table")
  where:    game 0: 2 players, seat 0 begins; action 1: {"do":"lay","seat":0,"card":"bull-7"}
  replay:   companion check bulls --seed 0 --action 1
""",
    ),
    "a reveal that looks for a fact that is not there": (
        {
            'MANIFEST = {"name": "bulls",': 'from companion.gamekit.screen import Call, Choice, Command, Face, Headline, Menu\nfrom textual.content import Content\n\n\nclass Looks(Face):\n    reveals = frozenset({"lays"})\n\n    def commands(self, sight=None):\n        return (Command("lay", ("b",), "Lay"),)\n\n    def headline(self, sight):\n        return Headline(("lay",), "lay")\n\n    def panels(self, sight, width, tall):\n        return [Content("a table")]\n\n    def choices(self, sight, actions):\n        return Menu("Which?", [Choice(f"{each[\'card\']}", each) for each in actions])\n\n    def calls(self, sight, lines, width, tall):\n        return [Call((told.facts["cards"],)) for told in lines]\n\n\nFACE = Looks()\nMANIFEST = {"face": "bulls:FACE", "name": "bulls",'
        },
        """
the table can be drawn at every size and in every language
  expected: `calls` raises nothing: an exception is a bug, a refusal is a value
  found:    KeyError: 'cards'
            in bulls.py, line N, in <listcomp>: return [Call((told.facts["cards"],)) for told in lines]
  where:    game 0: 2 players, seat 0 begins; action 1: {"do":"lay","seat":0,"card":"bull-7"}
  replay:   companion check bulls --seed 0 --action 1
""",
    ),
}
"""What is wrong → what is changed in the game of tests/bulls.py, and what its author reads."""


def failures(contract: GameContract | None = None) -> list[str]:
    """Without the games of simulated players, which take longer than all the rest."""
    contract = contract or type("Contract", (GameContract,), {"name": "bulls"})()
    texts = []
    for test in properties(type(contract)):
        if test.__name__ != "test_simulated_players_play_a_whole_game":
            try:
                test(contract)
            except SkipTest:
                pass
            except BrokenContractError as failure:
                texts.append(str(failure))
    return texts


@pytest.mark.parametrize("planted", PLANTED)
def test_a_bug_is_one_failure_that_says_what_is_expected_and_how_to_see_it_again(
    planted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    changes, text = PLANTED[planted]
    with bulls_installed(tmp_path, monkeypatch, changes):
        (told,) = failures()
        assert re.sub(r"line \d+", "line N", told) == text.strip()
        replay = re.search(r"replay: +companion (.+)", told)
        if replay:
            shown = Command(capsys)(*shlex.split(replay[1]))
            done = re.search(r"action \d+: (.+)", told)
            assert (done[1] if done else '"game":"bulls"') in shown.out
            beside_the_rules = "tried in place" in told or told.startswith("the table can be drawn")
            assert shown.status == int(("raises nothing" in told and not beside_the_rules) or "`legal` lists" in told)


def test_simulated_players_do_not_play_a_game_that_has_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    contract = type("Contract", (GameContract,), {"name": "bulls"})()
    with bulls_installed(tmp_path, monkeypatch, PLANTED["a ruling without a sentence"][0]):
        assert len(failures(contract)) == 1
        with pytest.raises(SkipTest, match="first mend test_everything_that_is_ruled_has_a_sentence"):
            contract.test_simulated_players_play_a_whole_game()


def test_a_sound_game_keeps_its_contract_without_pytest(tmp_path: Path) -> None:
    without = (
        "import sys; sys.modules['pytest'] = None; from companion.cli import main; sys.exit(main(['check', 'bulls']))"
    )
    told = run_in(written(tmp_path), "-c", without)
    assert re.fullmatch(
        r"bulls keeps the contract: \d+ properties, 8 games with 2 to 4 players \(.+ s\)\.", told.strip()
    )


def test_pytest_shows_the_same_text_and_skips_what_meets_the_same_mistake(tmp_path: Path) -> None:
    written(tmp_path, PLANTED["apply raises"][0])
    tests = (
        'from companion.gamekit.contract import GameContract\n\n\nclass TestBulls(GameContract):\n    name = "bulls"\n'
    )
    (tmp_path / "test_contract.py").write_text(tests)
    told = run_in(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", status=1)
    assert re.search(r"^1 failed, \d+ passed, [23]\d skipped", told, re.MULTILINE)
    assert "expected: `apply` raises nothing" in told
    assert "replay:   companion check bulls --seed 0 --action 1" in told
    assert "def " not in told, "no code of ours, and no frames"


def test_a_game_that_steers_its_tests_names_their_file(tmp_path: Path) -> None:
    written(tmp_path, PLANTED["a ruling without a sentence"][0])
    (tmp_path / "test_contract.py").write_text(
        "from companion.gamekit.contract import GameContract\n\n\nclass TestBulls(GameContract):\n"
        '    name = "bulls"\n\n    def choose(self, actions, chance):\n        return actions[-1]\n'
    )
    told = run_in(tmp_path, "-m", "companion", "check", "bulls", "--tests", "test_contract.py", status=1)
    replay = re.search(r"replay: +companion (check bulls --tests test_contract.py --seed \d --action \d+)", told)
    assert replay
    assert "The table after it" in run_in(tmp_path, "-m", "companion", *replay[1].split())


def test_simulated_players_that_fail_are_told_with_the_command_that_shows_it(tmp_path: Path) -> None:
    written(
        tmp_path,
        {
            'MANIFEST = {"name": "bulls",': 'MANIFEST = {"players": "bulls:Clumsy", "name": "bulls",',
            "GAME = Game(": "class Clumsy:\n    memory = None\n\n    def __init__(self, seed, seats, kit):\n        pass\n\n"
            "    def plan(self, snapshot):\n        raise ValueError\n\n\nGAME = Game(",
        },
    )
    told = run_in(tmp_path, "-m", "companion", "check", "bulls", status=1)
    assert "expected: 2 clumsy simulated players with kit one play to the end" in told
    assert "replay:   companion demo bulls --headless --seed 1 --players 2 --kit one --mischief 0.25" in told


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["moles"], "there is no game 'moles'"),
        (["lascaux", "--action", "3"], "Say --seed, too"),
        (["lascaux", "--seed", "8"], "there is no game 8; the games are 0 to 7"),
        (["lascaux", "--seed", "-1"], "there is no game -1"),
        (["lascaux", "--tests", "/nowhere.py"], "/nowhere.py is no Python file"),
        (["lascaux", "--tests", __file__], 'has no class of GameContract with name = "lascaux"'),
    ],
)
def test_what_cannot_be_checked_is_said(words: list[str], problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = Command(capsys)("check", *words)
    assert (said.status, problem in said.err) == (2, True)
