"""The parts around the rules of every game: words, face, simulated players, enrolment, paper."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import msgspec
import tomli_w

from companion.gamekit.contract.played_games import PlayedByChance
from companion.gamekit.discovery import locale_folder
from companion.gamekit.figure import Figures, figures_of
from companion.gamekit.game import Game, Refusal, Setup
from companion.gamekit.game_start import usual_names
from companion.gamekit.game_texts import of_game
from companion.gamekit.paper import LARGEST, PaperPiece
from companion.gamekit.parts import enrolment_plan, paper_of
from companion.gamekit.screen.face import Menu, Sight
from companion.gamekit.screen.face_discovery import find_face
from companion.gamekit.snapshot import Player, Snapshot
from companion.language.general_sentences import SENTENCES as GENERAL
from companion.language.screen_language import LANGUAGES, claimed, has_translation, load, speak, spoken
from companion.language.wording import Said, say

# --- A face, drawn without a screen: all that it says about one table -----------------------------------------

SIZES = ((66, False), (100, True), (160, True))
"""Widths of a screen, and whether there is room between things."""


def seen(game: Game[Any, Any], setup: Setup, state: Any) -> Snapshot:
    """The table as a screen in another process gets it, with people only."""
    offered, awaiting = tuple(game.offered(state)), game.awaiting(state)
    snapshot = Snapshot(
        number=1,
        entry=1,
        evening="contract",
        game=game.name,
        players=tuple(Player(name) for name in usual_names(setup.players)),
        kit="none",
        options=msgspec.to_builtins(setup.options),
        box=setup.box,
        table=game.view(state),
        awaiting=awaiting,
        settled=game.settled(state) if awaiting and game.settled else (),
        offered=offered,
        scores=game.scores(state) if awaiting is None else (),
        winners=game.winners(state) if awaiting is None else (),
    )
    return msgspec.json.decode(msgspec.json.encode(snapshot), type=Snapshot)


def drawn(snapshot: Snapshot) -> Iterator[str]:
    """In every language: the headline, the table at every size, each button, each menu, each option."""
    before = spoken()
    try:
        for code in LANGUAGES:
            speak(code)
            yield from _drawn(snapshot)
    finally:
        speak(before)


def _drawn(snapshot: Snapshot) -> Iterator[str]:
    face = find_face(snapshot.game)
    sight = Sight(snapshot, face)
    if not sight.over:
        yield face.headline(sight).sentence
        for width, tall in SIZES:
            yield "\n".join(panel.plain for panel in face.panels(sight, width, tall))
    for command in face.commands(sight):
        yield command.label
        actions = command.of(sight)
        if len(actions) > 1 and face.dialog(sight, actions, lambda _action: None) is None:
            yield from _menu(face.choices(sight, actions), figures_of(snapshot.game))


def _menu(menu: Menu, known: Figures) -> Iterator[str]:
    yield menu.title
    for choice in menu.choices:
        yield str(choice.label)
        assert not choice.figure or choice.figure in known, f"there is no figure {choice.figure!r}"
        if isinstance(choice.value, Menu):
            yield from _menu(choice.value, known)


class AroundContract(PlayedByChance):
    # --- Words ---

    def test_everything_that_is_ruled_has_a_sentence_and_its_facts(self) -> None:
        known = {**GENERAL, **self.game.sentences}
        for setup, moment, chance in self.looked_at():
            forms = islice(self.forms(moment.before, chance), 30)
            answers = [self.game.apply(moment.before, form) for form in forms]
            refusals = [answer for answer in answers if isinstance(answer, Refusal)]
            all_said: list[Said] = [*moment.step.rulings, *refusals]
            for said in all_said:
                assert said.what in known, f"no sentence for {said.what!r}"
                sentence = say(said, self.game.sentences, usual_names(setup.players))
                assert "{" not in sentence, f"{said.what!r} lacks a fact: {sentence}"

    def test_every_step_of_the_preparation_has_a_sentence_and_its_facts(self) -> None:
        known = {**GENERAL, **self.game.sentences}
        for setup in self.setups():
            for step in self.game.preparation(setup) if self.game.preparation else ():
                assert step.what in known, f"no sentence for {step.what!r}"
                assert "{" not in say(step, self.game.sentences, usual_names(setup.players))

    def test_every_text_is_translated_into_every_language_that_the_game_claims(self) -> None:
        """All that its source says: sentences, words, looks, enrolment."""
        folder = locale_folder(self.name)
        if folder is not None:
            texts = of_game(self.name)
            for code in claimed(folder):
                has = has_translation(code, folder)
                missing = [text.message for text in texts if not has(text.message, text.context, text.many)]
                assert not missing, f"not in {code}: {missing}"

    # --- Looks, players and enrolment ---

    def test_the_table_can_be_drawn_at_every_size_and_in_every_language(self) -> None:
        for setup, moment, _ in islice(self.looked_at(), 0, None, self.drawn_every):
            for text in drawn(seen(self.game, setup, moment.step.state)):
                assert text.strip()

    def test_an_enrolment_asks_for_every_piece_and_makes_a_box_that_can_be_read(self) -> None:
        plan = enrolment_plan(self.name)
        base = tomllib.loads(self.game.standin())
        box = self.game.parse_box(tomli_w.dumps(plan.box(base, {})), "the enrolled box")
        assert sum(step.tagged for step in plan.steps(base, {})) == len(self.game.pieces(box))

    # --- Paper ---

    def test_every_piece_that_carries_a_tag_is_printed_once_with_a_frame_for_its_sticker(self) -> None:
        for box in self.printed_boxes():
            for printed in self.printed_in_every_language(box):
                framed = [piece.thing for piece in printed if piece.sticker]
                assert sorted(framed, key=repr) == sorted(self.game.pieces(box), key=repr)

    def test_no_two_printed_pieces_have_the_same_small_print(self) -> None:
        for box in self.printed_boxes():
            for printed in self.printed_in_every_language(box):
                labels = [piece.label for piece in printed]
                assert sorted(set(labels)) == sorted(labels)

    def test_every_printed_piece_fits_on_a_sheet(self) -> None:
        for box in self.printed_boxes():
            for piece in next(iter(self.printed_in_every_language(box))):
                height = piece.size.height * (2 if piece.folded else 1)
                assert piece.size.width <= LARGEST.width
                assert height <= LARGEST.height

    def test_every_figure_can_be_drawn(self) -> None:
        """On paper as on phones: its file has nothing but what docs/add-a-game.md lists."""
        known = figures_of(self.name)
        for name in known.files:
            assert known[name].body

    def test_backs_of_pieces_that_are_drawn_or_laid_in_secret_tell_nothing_but_what_everybody_may_know(self) -> None:
        """Of those with a sticker, which is on the front: as many backs as there are decks and sets, at most."""
        for box in self.printed_boxes():
            printed = [piece for piece in next(iter(self.printed_in_every_language(box))) if piece.sticker]
            for kind in {piece.thing.kind for piece in printed}:
                alike = [piece for piece in printed if piece.thing.kind == kind]
                owners = {piece.thing.owner for piece in alike}
                assert len({piece.back for piece in alike}) <= max(2, len(owners))

    def printed_boxes(self) -> Sequence[Any]:
        """Boxes to print; a game may try more than the one that ships."""
        return [self.game.parse_box(self.game.standin(), "the box that ships")]

    def printed_in_every_language(self, box: Any) -> Iterator[Sequence[PaperPiece]]:
        folder = locale_folder(self.name)
        for code in ("en", *(claimed(folder) if folder else ())):
            yield paper_of(self.name)(box, load(code, *([folder] if folder else [])).text)

    def test_simulated_players_play_a_whole_game(self) -> None:
        """As a person would try it: in a process of its own, with text output."""
        words = ["demo", self.name, "--headless", "--seed", "1", "--players", str(self.game.players[0])]
        told = subprocess.run(
            [sys.executable, "-m", "companion", *words], capture_output=True, text=True, check=False, timeout=300
        )
        assert told.returncode == 0, told.stderr
        assert re.search(r"^\S.*: −?\d+ \w+", told.stdout, re.MULTILINE), "nobody's total is told"
        assert told.stdout.rstrip().endswith(("wins.", "win.", "together."))
