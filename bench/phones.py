"""Phones: from a tap until all five show it, until it is said, what the server weighs, how soon the page is there.

Both sides run in the same chromium: ours with its referee, its journal and its server, each a process; the other side
is a bare aiohttp server that sends whatever one page says to all five. The journal is in memory, as in
bench/screen.py; what a tap takes with the journal on the disk is told beside it.
"""

import asyncio
import math
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias
from uuid import uuid4

import msgspec

from bench.figures import WHOLE, Effort, Figure
from bench.screen import in_memory
from companion.language.wording import ENGLISH
from companion.messages.client import RefereeLink
from companion.messages.intentions import Act, Prepare, Undo
from companion.messages.lobby import GamePlan
from companion.processes.evenings import begin_evening, socket_of
from companion.processes.phone_server import PhoneSettings, TablePhones
from companion.processes.referee_supervisor import RefereeSupervisor
from companion.processes.simulation_settings import SimulationSettings

if TYPE_CHECKING:
    from playwright.async_api import Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or ""
PHONES = 5
TAPS, PAINTS = 60, 15
HERE = "127.0.0.1"
MEGABYTE = 1024 * 1024
UPRIGHT: Any = {"viewport": {"width": 360, "height": 640}, "is_mobile": True, "has_touch": True}

BARE = """
import sys
from aiohttp import WSMsgType, web

ECHO = '''<!doctype html><meta name="viewport" content="width=device-width"><title>echo</title>
<div id="choices"><button>tap</button></div><p id="said"></p><script>
const socket = new WebSocket(`ws://${location.host}/table`);
socket.onmessage = ({data}) => { said.textContent = data; document.documentElement.dataset.entry = data; };
socket.onopen = () => { document.documentElement.dataset.entry = "0"; };
const next = () => String(Number(document.documentElement.dataset.entry) + 1);
document.querySelector("button").onclick = () => socket.send(next());
</script>'''
STATIC = "<!doctype html><title>static</title><h1>static</h1><p>" + "x " * (int(sys.argv[2]) // 2)
sockets = set()

async def page(request):
    return web.Response(text=ECHO, content_type="text/html")

async def static(request):
    return web.Response(text=STATIC, content_type="text/html")

async def table(request):
    socket = web.WebSocketResponse()
    await socket.prepare(request)
    sockets.add(socket)
    async for message in socket:
        if message.type is WSMsgType.TEXT:
            for each in sockets:
                await each.send_str(message.data)
    sockets.discard(socket)
    return socket

app = web.Application()
app.router.add_get("/", page)
app.router.add_get("/static", static)
app.router.add_get("/table", table)
web.run_app(app, host="127.0.0.1", port=int(sys.argv[1]), print=None)
"""

WATCH = """() => {
  window.moments = [];
  window.lastSaid = 0;
  const now = () => performance.timeOrigin + performance.now();
  const said = document.getElementById("said");
  if (said?.role === "log") new MutationObserver(() => { window.lastSaid = now(); }).observe(said, { childList: true });
  new MutationObserver(() => {
    const entry = document.documentElement.dataset.entry;
    requestAnimationFrame(() => window.moments.push([entry, now()]));
  }).observe(document.documentElement, { attributes: true, attributeFilter: ["data-entry"] });
}"""
TAP = """() => { const at = performance.timeOrigin + performance.now();
  document.querySelector("#choices > button:enabled").click(); return at; }"""
SHOWN = """(entry) => new Promise((resolve) => {
  const look = () => {
    const found = window.moments.find(([each]) => Number(each) >= entry);
    if (found) resolve(found[1]); else setTimeout(look, 1);
  };
  look();
})"""
READY = """(entry) => new Promise((resolve) => { const look = () => {
  const there = Number(document.documentElement.dataset.entry) >= entry;
  if (there && document.querySelector("#choices > button:enabled")) resolve(true); else setTimeout(look, 2); };
  look(); })"""
ARRIVE = """window.arrived = 0;
window.WebSocket = class extends WebSocket {
  constructor(...where) {
    super(...where);
    this.addEventListener("message", () => { window.arrived ||= performance.timeOrigin + performance.now(); });
  }
};"""
"""When the first message of the next snapshot comes, before the page sees it."""
SAID = "() => [window.arrived, window.lastSaid]"
FORGET = """() => { window.moments = []; window.lastSaid = window.arrived = 0;
  return Number(document.documentElement.dataset.entry); }"""
PAINT = """() => new Promise((resolve) => { const look = () => {
  const found = performance.getEntriesByName("first-contentful-paint")[0];
  if (found) resolve(found.startTime); else setTimeout(look, 2); }; look(); })"""

NAMES = ("from a tap until five phones show it, p95 ÷ a bare echo to five clients",
         "from a snapshot until all of it is said to players who listen, p95 ÷ until the page has drawn it",
         "memory of the phones' server with five phones ÷ (1.5 × an empty aiohttp server + 10 MB)",
         "first paint of the phones' page ÷ a static page of the same size",
         "bytes of the phones' page with its voice ÷ without it")  # fmt: skip
BOUNDS = (3.0, 2.0, 1.0, 2.0, 1.3)

Rounds: TypeAlias = list[list[float]]
"""Milliseconds: ours, theirs."""


def figures(effort: Effort = WHOLE) -> list[Figure]:
    if not CHROMIUM:
        both = zip(NAMES, BOUNDS, strict=True)
        return [Figure(name, math.nan, bound, False, "no chromium here") for name, bound in both]
    measured = asyncio.run(_measured(effort))
    taps, weight = _of_taps(measured.taps, measured.on_disk), _of_weight(*measured.weights)
    found = [taps, _of_words(measured.heard), weight, _of_paints(measured.paints), _of_voice()]
    return [Figure(name, *each) for name, each in zip(NAMES, found, strict=True)]


class Measured(NamedTuple):
    taps: Rounds
    weights: list[float]
    """Megabytes: our server, theirs."""
    paints: Rounds
    on_disk: list[float]
    """Milliseconds of our taps, with the journal on the disk."""
    heard: Rounds
    """From a snapshot until the live region has all of it, and until the page has drawn it."""


async def _measured(effort: Effort) -> Measured:
    from playwright.async_api import async_playwright

    phones = 1 + effort.of(PHONES - 1)  # one who taps, and those who see it
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        with _home(in_memory()):
            taps, weights, paints, heard = await _both_sides(browser, phones, effort)
        with _home(None):
            async with _ours(browser, phones) as ours:
                on_disk = [await ours.tap() for _ in range(effort.of(TAPS / 2))]
        await browser.close()
    return Measured(taps, weights, paints, on_disk, heard)


async def _both_sides(browser: Any, phones: int, effort: Effort) -> tuple[Rounds, list[float], Rounds, Rounds]:
    """Taps and first paints, ours and theirs in turn, and what each server weighs; then what a listener gets."""
    async with _ours(browser, phones) as ours:
        with _bare(_size()) as (bare, url):
            async with _pages(browser, [url] * phones) as theirs:
                taps = [[await ours.tap(), await _tap(theirs)] for _ in range(effort.of(TAPS))]
                weights = [_megabytes(_pid(ours.phones)), _megabytes(bare.pid)]
                paints = [
                    [await _paint(browser, ours.url), await _paint(browser, f"{url}/static")]
                    for _ in range(effort.of(PAINTS))
                ]
        await ours.pages[1].get_by_role("button", name="Table in words").click()
        heard = [await ours.heard() for _ in range(effort.of(TAPS))]
    return taps, weights, paints, heard


class Ours(NamedTuple):
    """A table with phones, at the bidding."""

    phones: TablePhones
    url: str
    pages: "list[Page]"
    take_back: Callable[[], None]

    async def tap(self) -> float:
        """A stone; then it is taken back, so that the next tap finds the same table."""
        newest = max(await asyncio.gather(*(page.evaluate(FORGET) for page in self.pages)))
        took = await _tap(self.pages)
        await self._back(newest)
        return took

    async def heard(self) -> list[float]:
        """Milliseconds from the snapshot with a stone until the second phone has said it, and until it has drawn it."""
        newest = max(await asyncio.gather(*(page.evaluate(FORGET) for page in self.pages)))
        await _tap(self.pages)
        drawn = await self.pages[1].evaluate(SHOWN, newest + 1)
        came, said = await self.pages[1].evaluate(SAID)
        await self._back(newest)
        assert said, "a line of the game came with it"
        return [said - came, drawn - came]

    async def _back(self, newest: int) -> None:
        self.take_back()
        await asyncio.gather(*(page.evaluate(SHOWN, newest + 2) for page in self.pages))
        await self.pages[0].evaluate(READY, newest + 2)


@asynccontextmanager
async def _ours(browser: Any, seats: int) -> AsyncIterator[Ours]:
    evening = begin_evening(GamePlan("lascaux", ("Anna", "Ben", "Cleo", "Dora", "Emil"), kit="none"))
    phones = TablePhones(PhoneSettings(HERE, 28137), wanted=True)
    with RefereeSupervisor(evening, SimulationSettings()):
        await asyncio.to_thread(phones.go_to, evening)
        offer = phones.offer()
        assert offer is not None
        links = [offer.links[seat] for seat in range(seats)]
        async with _to_bidding(socket_of(evening)) as take_back, _pages(browser, links) as pages:
            yield Ours(phones, offer.url, pages, take_back)
        await asyncio.to_thread(phones.leave)


@contextmanager
def _home(place: str | None) -> Iterator[None]:
    before = os.environ.get("COMPANION_HOME")
    with tempfile.TemporaryDirectory(dir=place) as folder:
        os.environ["COMPANION_HOME"] = folder
        try:
            yield
        finally:
            os.environ.pop("COMPANION_HOME")
            if before is not None:
                os.environ["COMPANION_HOME"] = before


WALL = ("/wall", "/wall.css", "/wall.js", "/table_svg.js", "/t")
"""Pages of their own, and the same page under another address."""


ON_REQUEST = ("/reading.js", "/reading.json", "/nfc.js")
"""Loaded by phones that read pieces."""


def _of_voice() -> tuple[float, float, bool, str]:
    """What a phone loads that speaks: the voice is a script, and words in every language."""
    from companion.web.page_files import listening_words, site

    files = site().files
    page = sum(len(file.body) for path, file in files.items() if path not in (*WALL, *ON_REQUEST))
    more = sum(len(files[path].body) for path in ON_REQUEST)
    said: list[dict[str, str]] = list(msgspec.json.decode(files["/words.json"].body).values())
    words = [{name: each[name] for name in listening_words(ENGLISH.text)} for each in said]
    voice = len(files["/talking.js"].body) + sum(len(msgspec.json.encode(each)) for each in words)
    detail = f"{page / 1000:.1f} KB, of which {voice / 1000:.1f} for the voice; {more / 1000:.1f} more to read pieces"
    return page / (page - voice), BOUNDS[4], False, detail


def _size() -> int:
    from companion.web.page_files import site

    return sum(len(file.body) for file in site().files.values())


@asynccontextmanager
async def _to_bidding(path: Path) -> AsyncIterator[Callable[[], None]]:
    """A screen brings the game to where a tap is one action: all players have chosen, and lay stones in turn."""
    heard: list[Any] = []
    link = RefereeLink(path, heard.append)
    talking = asyncio.create_task(link.run())
    link.post(Prepare("prepared", 99))
    number = 0
    while not heard or getattr(heard[-1], "awaiting", None) is None or "stone" not in heard[-1].awaiting.do:
        await asyncio.sleep(0.02)
        shown = [each for each in heard if hasattr(each, "offered")]
        waiting = [each for each in shown[-1].offered if each.get("seat") not in shown[-1].settled] if shown else []
        if waiting and not link.unanswered:
            number += 1
            link.post(Act(f"bench{number}", waiting[0]))
            await asyncio.sleep(0.05)
    try:
        yield lambda: link.post(Undo(uuid4().hex))
    finally:
        talking.cancel()
        await asyncio.gather(talking, return_exceptions=True)


@asynccontextmanager
async def _pages(browser: Any, urls: list[str]) -> "AsyncIterator[list[Page]]":
    """One phone for each; then all of them go."""
    pages = [await _page(browser, url) for url in urls]
    yield pages
    for page in pages:
        await page.context.close()


async def _page(browser: Any, url: str) -> "Page":
    context = await browser.new_context(**UPRIGHT)
    page: Page = await context.new_page()
    await page.add_init_script(ARRIVE)
    await page.goto(url)
    await page.evaluate("""() => new Promise((resolve) => { const look = () => {
      if (document.documentElement.dataset.entry) resolve(true); else setTimeout(look, 2); }; look(); })""")
    await page.evaluate(WATCH)
    return page


async def _tap(pages: "list[Page]") -> float:
    """Milliseconds from the tap until the last page has drawn it."""
    newest = max(await asyncio.gather(*(page.evaluate(FORGET) for page in pages)))
    began = float(await pages[0].evaluate(TAP))
    ends = await asyncio.gather(*(page.evaluate(SHOWN, newest + 1) for page in pages))
    return float(max(ends)) - began


async def _paint(browser: Any, url: str) -> float:
    """Cold: nothing of it was seen before."""
    context = await browser.new_context(**UPRIGHT)
    page = await context.new_page()
    await page.goto(url)
    found = float(await page.evaluate(PAINT))
    await context.close()
    return found


@contextmanager
def _bare(size: int) -> "Iterator[tuple[subprocess.Popen[bytes], str]]":
    with socket.socket() as free:
        free.bind((HERE, 0))
        port = free.getsockname()[1]
    child = subprocess.Popen([sys.executable, "-c", BARE, str(port), str(size)])
    try:
        while True:
            with socket.socket() as probe:
                if probe.connect_ex((HERE, port)) == 0:
                    break
            time.sleep(0.02)
        yield child, f"http://{HERE}:{port}"
    finally:
        child.terminate()
        child.wait()


def _pid(phones: TablePhones) -> int:
    supervisor = phones._supervisor
    assert supervisor is not None
    assert supervisor._process is not None
    return supervisor._process.pid


def _megabytes(pid: int) -> float:
    """What it alone keeps in memory, and what it shares with others, each in its part."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) * 1024 / MEGABYTE


def _of_taps(taps: Rounds, on_disk: list[float]) -> tuple[float, float, bool, str]:
    ours, theirs = (_p95([row[side] for row in taps]) for side in range(2))
    middle = [statistics.median(row[side] for row in taps) for side in range(2)]
    detail = (
        f"{ours:.1f} ms against {theirs:.1f} ms (medians {middle[0]:.1f} and {middle[1]:.1f}); {len(taps)} taps; "
        f"with the journal on this disk {_p95(on_disk):.1f} ms"
    )
    return ours / theirs, BOUNDS[0], False, detail


def _of_words(heard: Rounds) -> tuple[float, float, bool, str]:
    said, drawn = (_p95([row[side] for row in heard]) for side in range(2))
    middle = [statistics.median(row[side] for row in heard) for side in range(2)]
    detail = f"{said:.1f} ms against {drawn:.1f} ms (medians {middle[0]:.1f} and {middle[1]:.1f}); {len(heard)} stones"
    return said / drawn, BOUNDS[1], False, detail


def _p95(times: list[float]) -> float:
    return sorted(times)[min(len(times) - 1, math.ceil(len(times) * 0.95) - 1)]


def _of_weight(ours: float, empty: float) -> tuple[float, float, bool, str]:
    allowed = 1.5 * empty + 10
    return ours / allowed, BOUNDS[2], False, f"{ours:.1f} MB; {empty:.1f} MB empty, so {allowed:.1f} MB are allowed"


def _of_paints(paints: Rounds) -> tuple[float, float, bool, str]:
    ours, theirs = (statistics.median(row[side] for row in paints) for side in range(2))
    ratio = statistics.median(row[0] / row[1] for row in paints)
    return ratio, BOUNDS[3], False, f"{ours:.0f} ms against {theirs:.0f} ms; {_size() / 1024:.0f} KB, cold"
