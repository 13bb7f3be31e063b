"""A player who has the accessibility tree, the live region and a keyboard, and nothing else."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any
from unittest.mock import patch

import msgspec
from playwright.async_api import Browser, CDPSession, Error

from companion.drawing.result_sheet import totals_in_words
from companion.gamekit.screen.face import Sight
from companion.gamekit.screen.face_discovery import find_face
from companion.gamekit.snapshot import Snapshot, Told
from companion.messages.intentions import Decline
from companion.web.rate_limit import Allowance
from tests.web.browser import LAPTOP, PagePhone, until
from tests.web.evening import PhonesTable, evening

HURRIED = 100_000.0
PLAYERS = {"lascaux": 3, "sioux": 3, "darwinci": 3, "carnuta": 2, "gops": 2}
MOST = 1500
SEAT = 0


@contextmanager
def hurrying() -> Iterator[None]:
    """This player is faster than the server allows."""
    with patch("companion.web.phone_connection.Allowance", lambda: Allowance(HURRIED, HURRIED)):
        yield


class Listener:
    """Reads the tree that a screen reader gets from Chromium, and presses keys."""

    def __init__(self, phone: PagePhone, tree: CDPSession) -> None:
        self.phone, self._tree = phone, tree
        self._page = 0

    @classmethod
    async def sit(cls, phone: PagePhone) -> "Listener":
        tree = await phone.context.new_cdp_session(phone.page)
        await tree.send("Accessibility.enable")
        return cls(phone, tree)

    async def nodes(self, role: str, inside: int | None = None) -> list[dict[str, Any]]:
        """The nodes of the tree with this role, in the page or inside another node."""
        if inside is None:
            inside = self._page = self._page or (await self._tree.send("DOM.getDocument"))["root"]["backendNodeId"]
        found = await self._tree.send("Accessibility.queryAXTree", {"backendNodeId": inside, "role": role})
        return [each for each in found["nodes"] if not each.get("ignored")]

    async def buttons(self) -> list[dict[str, Any]]:
        """What can be pressed to play: in the dialog, if one is open, otherwise in the navigation."""
        for role in ("dialog", "navigation"):
            for node in await self.nodes(role):
                try:
                    found = await self.nodes("button", node["backendDOMNodeId"])
                except Error:
                    return []  # it has closed meanwhile: look once more
                return [each for each in found if not _off(each)]
        return []

    async def press(self, button: dict[str, Any]) -> None:
        try:
            await self._tree.send("DOM.focus", {"backendNodeId": button["backendDOMNodeId"]})
        except Error:
            return  # the page was drawn again meanwhile: look once more
        await self.phone.page.keyboard.press("Enter")

    async def said(self) -> list[str]:
        """What the live region has said so far, from the tree."""
        (log,) = await self.nodes("log")
        return [_name(each) for each in await self.nodes("StaticText", log["backendDOMNodeId"])]


def _name(node: dict[str, Any]) -> str:
    return str(node.get("name", {}).get("value", ""))


def _off(node: dict[str, Any]) -> bool:
    return any(each["name"] == "disabled" and each["value"]["value"] for each in node.get("properties", []))


REMEMBER = """() => { window.everSaid = []; const dialog = document.getElementById("dialog");
  for (const log of document.querySelectorAll("[role=log]")) new MutationObserver((changes) => {
    if (dialog.matches(":modal") !== dialog.contains(log)) return;
    for (const change of changes) for (const each of change.addedNodes) window.everSaid.push(each.textContent);
  }).observe(log, { childList: true }); }"""
"""What a screen reader hears of a log: what is added to it, unless an open dialog hides it."""

BACKWARDS = ("Back", "Cancel", "Undo", "Zurück")


async def _turn(listener: Listener, table: PhonesTable, chance: Random) -> None:
    """Press what there is, by its name alone, until something counts."""
    entry = table.evening.number
    for _step in range(400):
        found = [each for each in await listener.buttons() if not _name(each).startswith(BACKWARDS)]
        if found:
            named = [each for each in found if _name(each)]
            assert len(named) == len(found), "a button without a name"
            first = [each for each in found if _name(each).startswith(("Pass", "Lay ", "Done", "Keep", "Next"))]
            await listener.press(chance.choice(first if first and chance.random() < 0.6 else found))
            await asyncio.sleep(0.01)
        if question := table.referee.snapshot().question:
            table.heed(Decline(f"screen{len(table.heard)}", question.number))  # the others play on
        if table.evening.number > entry:
            await listener.phone.sees_newest()
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"nothing came of it: {[_name(each) for each in await listener.buttons()]}")


def _waits_for(table: PhonesTable, seat: int) -> bool:
    return any(each.get("seat", _turn_of(table)) == seat for each in table.useful())


def _turn_of(table: PhonesTable) -> int:
    awaiting = table.evening.game.awaiting(table.evening.state)
    return int(awaiting.seats[0]) if awaiting else -1


def on_the_wire(table: PhonesTable) -> Snapshot:
    return msgspec.json.decode(msgspec.json.encode(table.referee.snapshot()), type=Snapshot)


def _new_lines(table: PhonesTable, before: list[Told]) -> list[Told]:
    """The lines that a screen shows now and did not show before. Sioux hides those of earlier rounds."""
    sight = Sight(on_the_wire(table), find_face(table.evening.game.name), watching=True)
    return [line for line in sight.history if line.number > (before[-1].number if before else 0)]


async def play_by_ear(browser: Browser, name: str, chance: Random, most: int = MOST) -> int:
    """A game to its end. One seat sees only the accessibility tree and the live region, for as many actions as `most`;
    the others, and what is left of its own, are played at the table. Every line of the evening is said once, in order.
    Returns how many actions were played by ear."""
    async with evening(name, PLAYERS[name]) as table:
        table.prepared()
        phone = await PagePhone.scan(browser, table, SEAT, LAPTOP)
        await phone.page.evaluate(REMEMBER)
        listener = await Listener.sit(phone)
        by_ear = 0
        told: list[Told] = []
        for _number in range(MOST):
            told += _new_lines(table, told)
            if table.over:
                break
            mine = _waits_for(table, SEAT)
            if mine and by_ear < most:
                await phone.sees_newest()
                await _turn(listener, table, chance)
                by_ear += 1
            else:
                table.play_on(chance)
                await until(lambda: table.hub.entry == table.evening.number)
        assert table.over
        assert by_ear >= min(5, most)
        await phone.sees_newest()
        said = await phone.page.evaluate("window.everSaid")
        sight = table.hub._sight(SEAT)
        expected = [sight.say(line) for line in told]
        lines = {*expected}
        assert [each for each in said if each in lines] == expected, "in order, none is lost, none is repeated"
        totals = totals_in_words(sight)
        assert len(totals) == PLAYERS[name]
        assert [each for each in said if each in totals] == totals, "the points of each player, once"
        assert "win" in said[-1] or "share" in said[-1] or name == "gops"
        assert (await listener.said())[-1] == said[-1]
        assert phone.errors == []
    return by_ear
