"""A monkey at the table's screen: it presses whatever the real app offers, by key, by touch and by focus, at a table
with a real referee, in random games of every title. It looks at every picture that comes of it.

Nothing may raise. Whatever is offered does something: the referee accepts it, or refuses it with a reason that can be
read, or something else is to be seen. Whatever has the focus looks different. Nothing is cut off. Every sign is
explained.
"""

import asyncio
import shutil
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from random import Random
from typing import Any, Literal, NamedTuple, TypeAlias
from unittest.mock import patch

from rich.segment import Segment
from textual._compositor import Compositor
from textual.content import Content
from textual.geometry import Region
from textual.pilot import Pilot
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Button, Input, Static

from companion import stations
from companion.gamekit import discovery, sign_table
from companion.gamekit.game_start import Header
from companion.gamekit.screen import press_guard
from companion.gamekit.screen.controls import Panel, Worded
from companion.gamekit.snapshot import Told
from companion.home.box_files import find_box
from companion.messages.intentions import Agree, NextGame
from companion.messages.phone_access import PhonesOffer, Wifi
from companion.screen.app import CompanionApp
from companion.screen.screens.table_screen import TableScreen
from companion.screen.widgets.notice import Notice
from companion.stations import Kit
from companion.web.access_codes import new_code
from tests.places import short_folder
from tests.screen import quiet
from tests.screen.table import painted
from tests.web.evening import NAMES, PhonesTable

SIZES = ((66, 20), (100, 30), (160, 45))
LANGUAGES = ("en", "de")
Equipment: TypeAlias = Kit | Literal["phones"]
KITS: tuple[Equipment, ...] = (*stations.KITS, "phones")
Way: TypeAlias = Literal["key", "touch", "focus"]
WAYS: tuple[Way, ...] = ("key", "touch", "focus")
BURST = 6
"""Presses before the game goes on without the monkey."""
LEAVES = ("Quit", "Ende")
"""Buttons that end the screen."""
SAME = frozenset({"leave"})
MOVES = ("up", "down", "left", "right", "pageup", "pagedown", "home", "end", "tab", "shift+tab")
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
LATE_S = 20.0
SIGNS = {sign for name, signs in vars(sign_table).items() if name.isupper() for sign in signs}


class Case(NamedTuple):
    """What a run is about; printed with every failure."""

    game: str
    kit: Equipment
    size: tuple[int, int]
    language: str
    seed: int

    def __str__(self) -> str:
        width, height = self.size
        return f"{self.game}, kit {self.kit}, {width}×{height}, {self.language}, seed {self.seed}"


def case(number: int, seed: int, games: Sequence[str]) -> Case:
    """The cases come in turn, so that a few runs already see most of them."""
    return Case(
        games[number % len(games)],
        KITS[(number + number // len(games)) % len(KITS)],
        SIZES[(number + number // 4) % len(SIZES)],
        LANGUAGES[(number + number // 3) % len(LANGUAGES)],
        1000 * seed + number,
    )


class Monkey:
    """One app at one table."""

    def __init__(self, about: Case, app: CompanionApp, table: "PressedTable", pilot: Pilot[None]) -> None:
        self.about, self.app, self.table, self.pilot = about, app, table, pilot
        self.chance = Random(f"{about}")
        self.seen: Counter[str] = Counter()
        self.failures: list[str] = []
        self._did: list[str] = []
        """The newest presses: how to bring a failure about again."""
        self._before: list[Strip] = []
        """What was to be seen before the newest press."""

    # --- A run ------------------------------------------------------------------------------------------------

    async def play(self, presses: int) -> None:
        while self.seen.total() < presses and not self.failures:
            for _press in range(self.chance.randint(1, BURST)):
                await self._press()
                if self.failures or self.seen.total() >= presses:
                    return
            await self._go_on()

    async def _go_on(self) -> None:
        """The game goes on, by players at another screen; after its end one more begins."""
        if self.table.over:
            await self._until_table()
            if self.chance.random() < 0.5:
                self.table.next_game()
        else:
            for _action in range(self.chance.choice((1, 1, 2, 5, 20))):
                if not self.table.over:
                    self.table.play_on(self.chance)
        self._did.append("(the game went on)")
        await self._settle()
        await self._look_for_unexplained_signs()

    async def _until_table(self) -> None:
        for _layer in range(8):
            if isinstance(self.app.screen, TableScreen):
                return
            await self.app._press_keys(["escape"])
            await self._settle()

    async def _settle(self) -> None:
        await self.pilot.pause()
        for _turn in range(2000):
            talk = self.app.conversation
            if self.app._exit or talk is None or (not talk.link.unanswered and not talk.peeking):
                break
            await asyncio.sleep(0.005)
        await self.pilot.pause()

    # --- A press ----------------------------------------------------------------------------------------------

    async def _press(self) -> None:
        offered = list(self._offered())
        way = self.chance.choice(WAYS)
        self._before = painted(self.app)
        self._look_for_cuts(self._before)
        if way == "key" and self.chance.random() < 0.4:
            await self._do(way, self._any_key(), None)
        elif offered:
            button = self.chance.choice(offered)
            if way == "key":
                await self._do(way, self._key_of(button) or self._any_key(), button)
            elif way == "touch":
                await self._do(way, "", button)
            elif button.focusable:
                await self._focus(button)
                if self.app.focused is button:
                    await self._do(way, "enter", button)
        else:
            await self._do("key", "escape", None)

    def _offered(self) -> Iterator[Button]:
        """The buttons that can be pressed now and are to be seen."""
        region = self.app.screen.region
        for button in self.app.screen.query(Button):
            shown = button.region and button.visible and all(each.display for each in button.ancestors_with_self)
            leaves = button.label.plain.endswith(LEAVES)
            if shown and not button.disabled and not leaves and region.overlaps(button.region):
                yield button

    def _any_key(self) -> str:
        """A key of the game, of a list, or one that moves the focus; never the one that leaves."""
        sight = self.table_screen._sight
        keys = [key for command in (sight.face.commands(sight) if sight else ()) for key in command.keys]
        some = [
            *keys,
            *MOVES,
            *LETTERS.replace("q", ""),
            "f1",
            "f2",
            "f3",
            "f4",
            "f6",
            "question_mark",
            "space",
            "enter",
        ]
        return self.chance.choice([*some, "escape", "escape"])

    def _key_of(self, button: Button) -> str:
        """The key before its label, as a player reads it."""
        first = button.label.plain.strip().partition(" ")[0]
        named = {"Esc": "escape", "PgUp": "pageup", "PgDn": "pagedown", "◄": "left", "►": "right", "?": "question_mark"}
        if first in named:
            return named[first]
        if first[:1] == "F" and first[1:].isdecimal():
            return first.lower()
        return first if len(first) == 1 and first in LETTERS and first != "q" else ""

    @property
    def table_screen(self) -> TableScreen:
        assert self.app.conversation is not None
        return self.app.conversation.screen

    async def _do(self, way: Way, key: str, button: Button | None) -> None:
        """Press, and look what came of it."""
        what = " ".join(button.label.plain.split()) if button is not None else key
        self._did.append(f"{way} {what!r}" + (f" ({key})" if key and button is not None else ""))
        self.seen[way] += 1
        heard = len(self.table.answers)
        stack = len(self.app.screen_stack)
        try:
            if way == "touch":
                assert button is not None
                await self._touch(button)
            else:
                await self.app._press_keys([key])
            await self._settle()
        except Exception as error:
            self._fail(f"{type(error).__name__}: {error}")
            return
        if self.app._exit:
            self._fail("the screen has ended")
            return
        problem = self.app._failure or self.app._exception
        if problem is not None:
            self._fail(f"raised {type(problem).__name__}: {problem}")
            return
        is_other = len(self.app.screen_stack) != stack or _segments(self._before) != _segments(painted(self.app))
        self._judge(way, button, is_other, heard)

    def _judge(self, way: Way, button: Button | None, is_other: bool, heard: int) -> None:
        answers = self.table.answers[heard:]
        for told in answers:
            if told.kind == "refused":
                self._look_for_reason(told)
        typing = isinstance(self.app.focused, Input)  # a button that leads to a field is already there
        if (
            button is not None
            and way != "key"
            and not typing
            and not is_other
            and not answers
            and not (SAME & button.classes)
        ):
            self._fail("nothing came of it")

    def _look_for_reason(self, told: Told) -> None:
        """A refusal can be read, word by word, wherever a line ends."""
        sight = self.table_screen._sight
        assert sight is not None
        said, text = sight.say(told).split(), " ".join(self._text().split())
        if not any(" ".join(said[:count]) in text for count in (len(said), 6, 3)):
            self._fail(f"refused without its reason: {' '.join(said)}")

    async def _touch(self, button: Button) -> None:
        """In the middle of what is to be seen of it."""
        await self._rest(button)
        button.scroll_visible(animate=False)
        await self.pilot.pause()
        seen = button.region.intersection(self.app.screen.region)
        await self.pilot.click(offset=(seen.x + seen.width // 2, seen.y + seen.height // 2))

    async def _rest(self, button: Button) -> None:
        """While a button still looks pressed it is deaf."""
        for _turn in range(200):
            if not button.has_class("-active"):
                return
            await asyncio.sleep(0.005)

    # --- Focus ------------------------------------------------------------------------------------------------

    async def _focus(self, button: Button) -> None:
        """Give it the focus, and see whether that can be seen."""
        await self._rest(button)
        self.app.screen.set_focus(None)
        button.scroll_visible(animate=False)  # as it is wherever keys move the focus
        await self.pilot.pause()
        without = self._cells(button.region)
        button.focus(scroll_visible=False)
        await self.pilot.pause()
        self._before = painted(self.app)
        if self.app.focused is button and button.region and without == self._cells(button.region):
            self._fail(f"the focus on {button.label.plain.strip()!r} cannot be seen")

    # --- What is to be seen -----------------------------------------------------------------------------------

    def _text(self) -> str:
        return "\n".join("".join(segment.text for segment in strip) for strip in painted(self.app))

    def _cells(self, region: Region) -> list[Strip]:
        strips = painted(self.app)
        seen = region.intersection(self.app.screen.region)
        return [strips[y].crop(seen.x, seen.right) for y in range(seen.y, seen.bottom)]

    def _look_for_cuts(self, painted_now: Sequence[Strip]) -> None:
        """Nothing is cut off: neither a button by the screen's edge, nor a text by the edges of its own room."""
        screen = self.app.screen.region
        strips = ["".join(segment.text for segment in strip) for strip in painted_now]
        for widget in (*self.app.screen.query(Static), *self.app.screen.query(Button)):
            room = widget.content_region
            if not room or not widget.visible or not widget.is_on_screen or self._is_in_a_list(widget):
                continue
            if not screen.contains_region(widget.region):
                self._fail(f"{self._words(widget)!r} is cut off by the screen's edge: {widget.region}")
            elif not self._is_covered(widget):
                seen = "\n".join(strips[y][room.x : room.right] for y in range(room.y, room.bottom))
                if "".join(self._words(widget).split()) not in "".join(seen.split()):
                    self._fail(f"{self._words(widget)!r} is cut off: {seen!r}")

    async def _look_for_unexplained_signs(self) -> None:
        """Every sign on the table is behind one key, with its meaning."""
        screen = self.app.screen
        if not isinstance(screen, TableScreen) or screen._sight is None or screen._sight.over:
            return
        text = "\n".join(panel.text for panel in screen.query(Panel) if panel.display and panel.id in (None, "plan"))
        screen.action_legend()
        await self.pilot.pause()
        told = "".join(self._words(each) for each in self.app.screen.query(Worded))
        self.app.pop_screen()
        await self.pilot.pause()
        if missing := sorted(signs_in(text) - set(told)):
            self._fail(f"the legend does not have {' '.join(missing)}")

    def _words(self, widget: Widget) -> str:
        """What it would show if it had the room."""
        shown = widget.label if isinstance(widget, Button) else widget.render()
        return shown.plain if isinstance(shown, Content) else str(shown)

    def _is_covered(self, widget: Widget) -> bool:
        """A notice covers part of the table for a while."""
        notices = self.app.screen.query(Notice).results()
        return any(each.display and each is not widget and each.region.overlaps(widget.region) for each in notices)

    def _is_in_a_list(self, widget: Widget) -> bool:
        """What scrolls may be partly out of sight."""
        return any(isinstance(each, Widget) and each.max_scroll_y > 0 for each in widget.ancestors)

    def _fail(self, problem: str) -> None:
        did = " · ".join(self._did[-12:])
        self.failures.append(f"{self.about}: {problem}\n    after {len(self._did)} presses, the last: {did}")


def _segments(strips: Sequence[Strip]) -> list[list[Segment]]:
    return [list(strip) for strip in strips]


def signs_in(text: str) -> set[str]:
    """A letter of plain text, such as a question mark, is a sign only among signs."""
    alone = "".join(word for word in text.split() if set(word) <= SIGNS)
    return {letter for letter in text if letter in SIGNS and not letter.isascii()} | set(alone)


class PressedTable(PhonesTable):
    """Keeps the referee's answers to the screen."""

    def __init__(self, *what: Any, **how: Any) -> None:
        super().__init__(*what, **how)
        self.answers: list[Told] = []
        self._quiet = False

    def heed(self, intention: Any) -> Told:
        told = super().heed(intention)
        if not self._quiet:
            self.answers.append(told)
            self._without_the_monkey(self.deal)
        return told

    def play_on(self, chance: Random) -> None:
        """By a player at another screen; nothing, while a question is open to all."""
        self._without_the_monkey(self._play_on, chance)

    def _play_on(self, chance: Random) -> None:
        self.deal()
        if self.referee.snapshot().question is not None:
            for seat in range(len(self.evening.header.players)):
                self.heed(Agree(f"other{len(self.heard)}", seat))
        elif useful := self.useful():
            self.act(**chance.choice(useful))
        self.deal()

    def next_game(self) -> None:
        self._without_the_monkey(self.heed, NextGame(f"other{len(self.heard)}"))

    def _without_the_monkey(self, do: Callable[..., object], *what: object) -> None:
        """What others do is answered to them."""
        self._quiet = True
        try:
            do(*what)
        finally:
            self._quiet = False


class ScannedCodes:
    """The table is open for phones, with the codes of its real server; some players have scanned theirs."""

    problem = ""

    def __init__(self, table: PhonesTable, chance: Random) -> None:
        self._table, self._is_open = table, chance.random() < 0.5
        self._counts = {seat: 1 for seat in range(len(table.codes)) if chance.random() < 0.5}
        self._wifi = chance.choice((None, Wifi("Game night", "secret word")))

    def open(self) -> None:
        self._is_open = True

    def offer(self) -> PhonesOffer | None:
        url = "http://192.0.2.17:8137"
        links = {seat: f"{url}/#{code}" for seat, code in self._table.codes.items()}
        return PhonesOffer(url, links, self._counts, self._wifi) if self._is_open else None

    def renew(self, person: int) -> None:
        self._table.codes[person] = new_code()
        self._counts.pop(person, None)


@asynccontextmanager
async def monkey(about: Case) -> AsyncIterator[Monkey]:
    chance = Random(f"{about} table")
    game = discovery.find(about.game)
    folder = short_folder()
    header = Header(about.game, NAMES[: chance.choice(game.players)], 0, {})
    has_phones = about.kit == "phones"
    kit = "none" if has_phones else about.kit
    stack = 7 if kit == "none" and game.face_down and chance.random() < 0.5 else None
    table = PressedTable(folder, header, find_box(game).text, kit, stack=stack)
    await table.link.open()
    table.publish()
    with patch.object(press_guard, "SETTLE_S", 0.0), patch.object(press_guard, "REPEAT_S", 0.0), quick_pilot():
        phones = ScannedCodes(table, chance) if has_phones else None
        app = CompanionApp(folder / "s", language=about.language, motion="off", phones=phones, results=folder)
        try:
            async with app.run_test(size=about.size) as pilot:
                for _turn in range(2000):
                    if app.conversation is not None and app.conversation.drawn > 0:
                        break
                    await asyncio.sleep(0.005)
                await pilot.pause()
                for _action in range(chance.choice((0, 3, 12, 40))):
                    if not table.over:
                        table.play_on(chance)
                found = Monkey(about, app, table, pilot)
                await found._settle()
                yield found
        finally:
            await table.link.close()
            table.journal.close()
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def quick_pilot() -> Iterator[None]:
    """As tests/screen/conftest.py has it: a campaign has no fixtures."""
    with (
        patch("textual.app.wait_for_idle", quiet.loop_is_quiet),
        patch("textual.pilot.wait_for_idle", quiet.loop_is_quiet),
        patch.object(Pilot, "_wait_for_screen", quiet.screen_is_quiet),
        patch.object(Pilot, "pause", quiet.pause),
        patch.object(Compositor, "render_update", _nothing),
    ):
        yield


def _nothing(self: Compositor, full: bool = False, simplify: bool = False, *_: object, **__: object) -> None:
    """An app without a terminal would throw away what it draws; the monkey draws what it looks at."""
    self._dirty_regions.clear()


def run_case(about: Case, presses: int) -> Monkey:
    found: list[Monkey] = []

    async def story() -> None:
        async with monkey(about) as alive:
            found.append(alive)
            await alive.play(presses)

    try:
        asyncio.run(story())
    except Exception as error:  # the app raises at its end what has ended it
        if not found:
            raise
        if not found[0].failures:
            found[0]._fail(f"raised {type(error).__name__}: {error}")
    return found[0]
