"""The parts around the rules of every game: words, face, simulated players, enrolment, paper."""

import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import msgspec
import tomli_w
from rich.cells import cell_len

from companion.gamekit.contract.failure import BrokenContractError
from companion.gamekit.contract.played_games import Moment, PlayedByChance
from companion.gamekit.discovery import locale_folder
from companion.gamekit.ending import broken_tie, shared_victory
from companion.gamekit.figure import Figures, figures_of
from companion.gamekit.game import Game, Refusal, Ruling, Setup
from companion.gamekit.game_start import usual_names
from companion.gamekit.game_texts import of_game
from companion.gamekit.paper import LARGEST, PaperPiece
from companion.gamekit.parts import enrolment_plan, paper_of
from companion.gamekit.screen.controls import hinted
from companion.gamekit.screen.face import Menu, Sight, menu_room
from companion.gamekit.screen.face_discovery import find_face
from companion.gamekit.snapshot import Player, Snapshot, Told
from companion.language.screen_language import LANGUAGES, claimed, has_translation, load, speak, spoken
from companion.language.wording import Said

# --- A face, drawn without a screen: all that it says about one table -----------------------------------------

SIZES = ((66, False), (100, True), (160, True))
"""Widths of a screen, and whether there is room between things."""
FEWEST_AND_MOST = 2
"""The first games have the fewest players and the most: see `PlayedByChance.setups`."""
PHONE = 34
"""Cells of the narrowest phone, held upright."""


def seen(game: Game[Any, Any], setup: Setup, state: Any, rulings: Sequence[Ruling] = ()) -> Snapshot:
    """The table as a screen in another process gets it, with people only. `rulings`: of the newest action."""
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
        per_player=game.per_player,
        seats=game.seats,
        settled=game.settled(state) if awaiting and game.settled else (),
        offered=offered,
        scores=game.scores(state) if awaiting is None else (),
        winners=game.winners(state) if awaiting is None else (),
        lowest_wins=game.lowest_wins,
        history=tuple(
            Told(number, "accepted", said.what, said.rule, said.facts, entry=1)
            for number, said in enumerate(rulings, 1)
        ),
    )
    return msgspec.json.decode(msgspec.json.encode(snapshot), type=Snapshot)


def drawn(snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    """In every language, what it is and its text: the headline, the table at every size, each button, each menu."""
    before = spoken()
    try:
        for code in LANGUAGES:
            speak(code)
            for what, text in _drawn(snapshot):
                yield f"{what} in {code}", text
    finally:
        speak(before)


def _drawn(snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    face = find_face(snapshot.game)
    sight = Sight(snapshot, face)
    yield from _shown_at_last(sight) if sight.over else _shown_step_by_step(sight)
    if not sight.over:
        headline = face.headline(sight)
        yield "the headline", headline.sentence
        _expect_letters(headline.big, "Headline")
        for width, tall in SIZES:
            yield f"`panels` at {width} cells", "\n".join(panel.plain for panel in face.panels(sight, width, tall))
        panels = face.phone_panels(sight, PHONE)
        text = "\n".join(panel.plain for panel in panels)
        yield f"`phone_panels` at {PHONE} cells", text
        widest = max(text.split("\n"), key=cell_len)
        if cell_len(widest) > PHONE:
            expected = f"no line of `phone_panels` is wider than a phone of {PHONE} cells"
            raise BrokenContractError(expected, f"{cell_len(widest)} cells: {widest!r}")
    for command in face.commands(sight):
        yield "the label of a command", command.label
        actions = command.of(sight)
        if len(actions) > 1 and face.dialog(sight, actions, lambda _action: None) is None:
            yield from _menu(face.choices(sight, actions), figures_of(snapshot.game))
        menu = face.phone_menu(sight, actions) if actions else None
        if menu is not None:
            yield from _menu(menu, figures_of(snapshot.game), on_phone=True)


def _shown_step_by_step(sight: Sight) -> Iterator[tuple[str, str]]:
    """What the newest action revealed, and the table in words."""
    face, lines = sight.face, sight.history
    first = next((at for at, told in enumerate(lines) if told.what in face.reveals), len(lines))
    if revealed := lines[first:]:
        for step in face.steps(sight, revealed):
            yield "a step of a reveal", step.plain
        for width, tall in SIZES:
            for call in face.calls(sight, revealed, width, tall):
                if call is not None:
                    _expect_letters(call.big, "Call")
                    yield f"a `Call` at {width} cells", f"{' '.join(call.big)} {call.picture.plain}"
    for number, sentence in enumerate([*face.in_words(sight), *(grid.title for grid in face.grids(sight))], 1):
        yield f"sentence {number} of the table in words", sentence


def _shown_at_last(sight: Sight) -> Iterator[tuple[str, str]]:
    """The points of a finished game, and why."""
    for score in sight.snapshot.scores:
        for part in score.parts:
            yield f"the word for points of the kind {part.for_!r}", sight.face.part(part.for_)
            yield f"the colour of points of the kind {part.for_!r}", sight.face.hue(part.for_)
            for ground in sight.face.grounds(sight, part):
                yield "a ground of a point", ground


def _expect_letters(big: Any, what: str) -> None:
    """A text in brackets is no tuple: each of its letters would be one of the texts."""
    if not isinstance(big, tuple) or not all(isinstance(text, str) for text in big):
        raise BrokenContractError(f"`{what}.big` is a tuple of texts, the longest first", repr(big))


def _menu(menu: Menu, known: Figures, *, on_phone: bool = False) -> Iterator[tuple[str, str]]:
    """Raises BrokenContractError for a label that no button has room for, or a figure that is not there."""
    yield "the title of a menu", menu.title
    buttons = not on_phone and not any(choice.is_card for choice in menu.choices)  # cards and phones wrap their labels
    room = menu_room(menu.columns)
    for choice in menu.choices:
        label = hinted(choice.key or "1", choice.label).plain
        yield "a choice", str(choice.label)
        widest = max(map(cell_len, label.splitlines()))
        if buttons and widest > room:
            expected = f"a key and its label in a menu with columns={menu.columns} have at most {room} cells: else cut"
            raise BrokenContractError(expected, f"{widest} cells: {label!r}; say fewer columns, or fewer words")
        if choice.figure and choice.figure not in known:
            raise BrokenContractError("a choice names a figure that there is", f"{choice.figure!r}")
        if isinstance(choice.value, Menu):
            yield from _menu(choice.value, known, on_phone=on_phone)


class AroundContract(PlayedByChance):
    # --- Words ---

    def test_everything_that_is_ruled_has_a_sentence_and_its_facts(self) -> None:
        for setup, moment, chance in self.looked_at():
            answers = [self.answer(moment.before, form) for form in islice(self.forms(moment.before, chance), 30)]
            refusals = [answer for answer in answers if isinstance(answer, Refusal)]
            all_said: list[Said] = [*moment.step.rulings, *refusals]
            for said in all_said:
                self.expect_sentence(said, setup)

    def test_what_broke_a_tie_or_shared_a_victory_has_a_sentence_and_its_facts(self) -> None:
        for setup, moments in self.all_played():
            *_, last = moments
            ending = broken_tie(self.game, last.step.state), shared_victory(self.game, last.step.state)
            for said in filter(None, ending):
                self.expect_sentence(said, setup)

    def test_every_point_and_every_note_has_a_sentence_and_its_facts(self) -> None:
        for setup, moments in self.all_played():
            *_, last = moments
            for score in self.game.scores(last.step.state):
                all_said: list[Said] = [*score.notes, *score.parts]
                for said in all_said:
                    self.expect_sentence(said, setup)

    def test_every_step_of_the_preparation_has_a_sentence_and_its_facts(self) -> None:
        for game in self.all_games():
            for step in self.game.preparation(game.setup) if self.game.preparation else ():
                self.expect_sentence(step, game.setup)

    def test_every_text_is_translated_into_every_language_that_the_game_claims(self) -> None:
        """All that its source says: sentences, words, looks, enrolment."""
        folder = locale_folder(self.name)
        if folder is not None:
            texts = of_game(self.name)
            for code in claimed(folder):
                has = has_translation(code, folder)
                missing = [text.message for text in texts if not has(text.message, text.context, text.many)]
                self.expect(not missing, f"every text is in the catalogue for {code!r}", f"missing: {missing}")

    # --- Looks and enrolment ---

    def test_the_table_can_be_drawn_at_every_size_and_in_every_language(self) -> None:
        """On screens and on a phone."""
        for setup, moment in self.worth_drawing():
            for what, text in drawn(seen(self.game, setup, moment.step.state, moment.step.rulings)):
                self.expect(text.strip(), f"the face draws something: {what}", "an empty text")

    def worth_drawing(self) -> Iterator[tuple[Setup, Moment]]:
        """Some moments of all games, the end of each, and with the fewest and the most players the first reveal of each
        kind."""
        yield from ((setup, moment) for setup, moment, _ in islice(self.looked_at(), 0, None, self.drawn_every))
        for number, (setup, moments) in enumerate(self.all_played()):
            unseen = {*find_face(self.name).reveals} if number < FEWEST_AND_MOST else set()
            for moment in moments:
                said = {ruling.what for ruling in moment.step.rulings}
                if said & unseen or not self.game.legal(moment.step.state):
                    unseen -= said
                    yield setup, moment

    def test_an_enrolment_asks_for_every_piece_and_makes_a_box_that_can_be_read(self) -> None:
        plan = enrolment_plan(self.name)
        base = tomllib.loads(self.game.standin())
        box = self.game.parse_box(tomli_w.dumps(plan.box(base, {})), "the enrolled box")
        asked, pieces = sum(step.tagged for step in plan.steps(base, {})), len(self.game.pieces(box))
        self.expect(asked == pieces, f"the enrolment asks for the tag of each of {pieces} `pieces`", f"{asked} tags")

    # --- Paper ---

    def test_every_piece_that_carries_a_tag_is_printed_once_with_a_frame_for_its_sticker(self) -> None:
        for box in self.printed_boxes():
            for printed in self.printed_in_every_language(box):
                framed = Counter(piece.thing for piece in printed if piece.sticker)
                pieces = Counter(self.game.pieces(box))
                found = f"too few of {[*(pieces - framed)]}, too many of {[*(framed - pieces)]}"
                self.expect(framed == pieces, "`paper` has a sticker's frame for each of `pieces`, once", found)

    def test_no_two_printed_pieces_have_the_same_small_print(self) -> None:
        for box in self.printed_boxes():
            for printed in self.printed_in_every_language(box):
                twice = [label for label, count in Counter(piece.label for piece in printed).items() if count > 1]
                self.expect(not twice, "each printed piece has small print of its own", f"twice: {twice}")

    def test_every_printed_piece_fits_on_a_sheet(self) -> None:
        for box in self.printed_boxes():
            for piece in next(iter(self.printed_in_every_language(box))):
                height = piece.size.height * (2 if piece.folded else 1)
                expected = f"a printed piece is at most {LARGEST.width} × {LARGEST.height} mm, unfolded"
                fits = piece.size.width <= LARGEST.width and height <= LARGEST.height
                self.expect(fits, expected, f"{piece.label}: {piece.size.width} × {height} mm")

    def test_every_figure_can_be_drawn(self) -> None:
        """On paper as on phones: its file has nothing but what docs/add-a-game.md lists."""
        known = figures_of(self.name)
        for name in known.files:
            self.expect(known[name].body, f"the figure {name!r} draws something", "nothing")

    def test_backs_of_pieces_that_are_drawn_or_laid_in_secret_tell_nothing_but_what_everybody_may_know(self) -> None:
        """Of those with a sticker, which is on the front: as many backs as there are decks and sets, at most."""
        for box in self.printed_boxes():
            printed = [piece for piece in next(iter(self.printed_in_every_language(box))) if piece.sticker]
            for kind in {piece.thing.kind for piece in printed}:
                alike = [piece for piece in printed if piece.thing.kind == kind]
                most = max(2, len({piece.thing.owner for piece in alike}))
                backs = len({piece.back for piece in alike})
                self.expect(backs <= most, f"pieces of the kind {kind!r} have at most {most} backs", f"{backs}")

    def printed_boxes(self) -> Sequence[Any]:
        """Boxes to print; a game may try more than the one that ships."""
        return [self.game.parse_box(self.game.standin(), "the box that ships")]

    def printed_in_every_language(self, box: Any) -> Iterator[Sequence[PaperPiece]]:
        folder = locale_folder(self.name)
        for code in ("en", *(claimed(folder) if folder else ())):
            yield paper_of(self.name)(box, load(code, *([folder] if folder else [])).text)
