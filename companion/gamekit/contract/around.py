"""What stands around the rules of every game: words, looks, simulated players, enrolment."""

import re
import subprocess
import sys
import tomllib
from itertools import islice

import tomli_w

from companion.gamekit.beginning import usual_names
from companion.gamekit.contract.drawing import drawn, seen
from companion.gamekit.contract.playing import PlayedByChance
from companion.gamekit.discovery import locale_folder
from companion.gamekit.game import Refusal
from companion.gamekit.parts import enrolment_plan
from companion.language.general import SENTENCES as GENERAL
from companion.language.speech import claimed, untranslated
from companion.language.wording import Said, say


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

    def test_every_sentence_has_its_words_in_every_language_that_the_game_claims(self) -> None:
        folder = locale_folder(self.name)
        if folder is not None:
            for code in claimed(folder):
                assert untranslated(code, folder, self.game.sentences.values()) == []

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

    def test_simulated_players_play_a_whole_game(self) -> None:
        """As a person would try it: in a process of its own, told as text."""
        words = ["demo", self.name, "--headless", "--seed", "1", "--players", str(self.game.players[0])]
        told = subprocess.run(
            [sys.executable, "-m", "companion", *words], capture_output=True, text=True, check=False, timeout=300
        )
        assert told.returncode == 0, told.stderr
        assert re.search(r"^\S+: -?\d+ \w+$", told.stdout, re.MULTILINE), "nobody's total is told"
        assert told.stdout.rstrip().endswith(("wins.", "win."))
