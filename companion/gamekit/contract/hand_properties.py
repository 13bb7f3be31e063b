"""What hands do at a table with readers: every gesture of every kit means something, and what is read twice counts
once."""

import subprocess
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

from companion.files import PYTHON
from companion.gamekit.contract.failure import shown
from companion.gamekit.contract.played_games import Moment, PlayedByChance
from companion.gamekit.face_down import DealtCards, SimulatedDeal
from companion.gamekit.game import Aside, Draft, FaceDown, Gesture, Laid, Pushed, Seat, Setup, Step, Thing, named
from companion.gamekit.game_start import usual_names
from companion.gamekit.parts import brings_players, seat_players
from companion.gamekit.simulated import PastStep
from companion.stations import BUTTON_COLOURS, PADS, ReaderKit

PIECES_TRIED = 12
"""Pieces that are laid on each reader at each moment; those that a legal action names come first."""
MISCHIEF = "0.25"
"""How often simulated hands make a mistake, or do the right thing twice."""
DEALT = 12
"""How often in a game it is looked whether each player has what they hold."""
DEALING = ("deals", "table_does", "from_hand", "dealt")


class HandsContract(PlayedByChance):
    def test_every_gesture_means_something_with_every_kit(self) -> None:
        """An action, half of one, or an aside that has a sentence; with one reader, and with a pad for each player."""
        for setup, moment, chance in self.looked_at():
            state = moment.before
            for kit, gesture in self._gestures(setup, state, chance):
                with self.trying(f"kit {kit}: {gesture}"):
                    meant = self.game.meaning(state, gesture)
                    if isinstance(meant, Draft) and self.game.continued:
                        self.game.continued(state, meant.so_far, gesture)
                expected = f"`meaning` gives an action, a Draft or an Aside, with kit {kit}, for {gesture}"
                self.expect(isinstance(meant, (*self.game.actions, Draft, Aside)), expected, meant)
                if isinstance(meant, Draft):
                    self.expect(self.game.continued, "a game that gives a Draft brings `continued`", meant)
                if isinstance(meant, Draft | Aside):
                    self.expect_sentence(meant, setup)

    def _gestures(self, setup: Setup, state: Any, chance: Random) -> Iterator[tuple[ReaderKit, Gesture]]:
        words = {word for action in self.game.legal(state) for word in named(action)}
        pieces = list(self.game.pieces(setup.box))
        chance.shuffle(pieces)
        pieces.sort(key=lambda piece: piece.id not in words)
        for seat in (None, *range(min(setup.players, len(PADS)))):
            kit: ReaderKit = "one" if seat is None else "full"
            for piece in pieces[:PIECES_TRIED]:
                yield kit, Laid(piece, seat)
            for colour in BUTTON_COLOURS:
                yield kit, Pushed(colour, seat)
                if colour == "green":  # red, held, is an undo
                    yield kit, Pushed(colour, seat, held=True)

    def test_a_piece_that_is_read_twice_counts_once(self) -> None:
        """Also where a deal, a round or a turn ends in between."""
        for setup, moments in self.all_played():
            pieces = {piece.id: piece for piece in self.game.pieces(setup.box) if piece.id}
            for moment in moments:
                for word in named(moment.action) & pieces.keys():
                    for laid in _laid(pieces[word], moment):
                        self._expect_once(moment, laid)

    def may_repeat(self, state: Any, action: Any) -> bool:
        """Whether the piece of this action may be laid once more at once, and count again: only hands can tell."""
        return False

    def _expect_once(self, moment: Moment, laid: Laid) -> None:
        if self.game.meaning(moment.before, laid) != moment.action or self.may_repeat(moment.before, moment.action):
            return
        again = self.game.meaning(moment.step.state, laid)
        if type(again) is not type(moment.action):
            return
        answer = self.game.at_table(moment.step.state, again)
        if isinstance(answer, Step) and answer.state != moment.step.state:
            kit = "one" if laid.seat is None else "full"
            expected = f"a piece that is read twice counts once, with kit {kit}: {laid} has just meant this action"
            found = (
                f"read again it means {shown(again)}, and that is accepted\n"
                'remember what was laid last, and let `meaning` give Aside("repeated", …) for it'
            )
            self.fail(expected, found)

    def test_companion_deals_what_each_player_holds(self) -> None:
        """Where the players have no cards, it deals from what is `face_down`: to each as many as they hold."""
        if self.game.face_down is None:
            return
        for game in self.all_games():
            deal = SimulatedDeal(self.game, game.setup.box, game.seed)
            past = [PastStep(moment.before, moment.action, moment.step.state) for moment in self._visited(game)]
            for done, moment in islice(enumerate(self._visited(game), 1), 0, None, max(1, len(past) // DEALT)):
                state = moment.step.state
                if self.game.awaiting(state) is not None:
                    self._expect_dealt(self.game.face_down(state), deal.lying(0, past[:done], state))

    def _expect_dealt(self, now: FaceDown, dealt: DealtCards) -> None:
        counts = [len(hand) for hand in dealt.hands]
        self.expect(counts == [*now.held], f"each player is dealt as many cards as they hold: {now.held}", f"{counts}")
        cards = Counter(dealt.stock)
        for hand in dealt.hands:
            cards.update(hand)
        wrong = {card: cards[card] for card in (*cards, *now.unseen) if cards[card] != (card in now.unseen)}
        self.expect(not wrong, "`face_down` has each card that is in a hand or in the stock, once", f"{wrong}")
        lost = [card for card, seat in now.known.items() if card not in dealt.hands[seat]]
        self.expect(not lost, "a card that is `known` is in the hand of its player", f"{lost} are elsewhere")

    def test_players_that_deal_have_all_that_dealing_needs(self) -> None:
        players = seat_players(self.name, 1, frozenset(range(self.game.players[0])), "one")
        has = [name for name in DEALING if hasattr(players, name)]
        missing = [name for name in DEALING if name not in has]
        expected = f"simulated players that deal have all of `Dealing`: {', '.join(DEALING)}"
        kept = not has or not missing or not brings_players(self.name)
        self.expect(kept, expected, f"{type(players).__name__} has {', '.join(has)}, but not {', '.join(missing)}")

    def test_simulated_players_play_a_whole_game(self) -> None:
        """As a person would try it, in a process of its own: the fewest players with one reader, the most with a pad
        each, and all of them clumsy."""
        self.expect_nothing_reported()  # it would take long, and end for the same reason
        next(self.all_games())  # where chance cannot play, they cannot
        fewest, most = self.game.players[0], self.game.players[-1]
        tables: dict[tuple[int, str], None] = {(fewest, "one"): None}
        if fewest <= len(PADS):
            tables[min(most, len(PADS)), "full"] = None
        if most > len(PADS):
            tables[most, "one"] = None
        for players, kit in tables:
            self._expect_demo(players, kit)

    def _expect_demo(self, players: int, kit: str) -> None:
        words = ["demo", self.name, "--headless", "--seed", "1", "--players", str(players), "--kit", kit]
        words += ["--mischief", MISCHIEF]
        told = subprocess.run(
            [*PYTHON, "-m", "companion", *words], capture_output=True, text=True, check=False, timeout=300
        )
        replay = " ".join(["companion", *words])
        expected = f"{players} clumsy simulated players with kit {kit} play to the end"
        if told.returncode != 0:
            self.fail(expected, told.stderr.strip() or f"exit status {told.returncode}", replay=replay)
        lines = told.stdout.splitlines()
        told_of = [line.partition(": ")[0] for line in told.stdout.rpartition("\n\n")[2].splitlines() if ": " in line]
        missing = [name for name in usual_names(players) if not any(name in names for names in told_of)]
        if missing or not told.stdout.rstrip().endswith("."):
            found = f"the last lines are {lines[-3:]}"
            self.fail(f"{expected}, and each total and the winner are told", found, replay=replay)


def _laid(piece: Thing, moment: Moment) -> Iterator[Laid]:
    """On one shared reader, and on the pad of the player who acts."""
    yield Laid(piece)
    seat: Seat | None = getattr(moment.action, "seat", None)
    if seat is not None and seat < len(PADS):
        yield Laid(piece, seat)
