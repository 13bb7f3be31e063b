"""The hall's process: its database, its server, and the director's terminal."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Awaitable
from contextlib import ExitStack, suppress
from pathlib import Path
from ssl import SSLContext

import segno
from msgspec import Struct

from companion.config import TableSettings, find_table
from companion.errors import CompanionError, LinkError, UsageError
from companion.files import held, make_folder
from companion.gamekit.discovery import title
from companion.hall.director_orders import HELP, Form, answer_card, answer_line, form_decision, news, status
from companion.hall.hall import Hall
from companion.hall.hall_messages import PORTS
from companion.hall.hall_screen import HallScreen
from companion.hall.hall_server import HallServer
from companion.hall.hall_state import USUAL_MINUTES, LogEntry
from companion.hall.hall_store import HallStore
from companion.hall.live_hall import NO_LIVE
from companion.home.paths import hall_path, home, people_path
from companion.language.wording import plain
from companion.people.persons import People, load_people
from companion.processes.certificate import certificate
from companion.processes.hall_broker import LiveOptions, OpenLive, open_live
from companion.processes.network_addresses import addresses
from companion.processes.phone_server import PhoneSettings, chosen_address
from companion.processes.table_devices import equipment
from companion.table.signals import Signal, TagFound, TagPlaced
from companion.web.server import Listening
from companion.web.server_process import tls_context

RUNNING = "running.lock"
LINE_BYTES = 4096
MESSAGE_LENGTH = 1000
EVENING_S = 12 * 3600.0
"""A night that is older was probably not closed."""


class HallSettings(Struct, frozen=True):
    """What was said on the command line."""

    name: str
    place: PhoneSettings
    database: str = ""
    game: str = ""
    """Open a night of this game, if none is open; "": the director does that."""
    options: tuple[str, ...] = ()
    """Table options of that night, as they were typed."""
    minutes: int = USUAL_MINUTES
    top_table: bool = False
    plain_points: bool = False
    live: LiveOptions | None = None
    """How tables are live; None: they are not."""
    screen: bool = False
    """Show the display in this terminal, instead of lines for the director."""


async def run_hall(settings: HallSettings) -> None:
    """Serve until cancelled. Raises LinkError, StoreError, UsageError."""
    if not settings.place.address and not addresses():
        raise LinkError(
            "this computer is not in a network: join a Wi-Fi or make one (docs/phones.md); --address 127.0.0.1 tries a "
            "night on this computer alone"
        )
    address = chosen_address(settings.place)
    tls = tls_context(certificate(address).pem) if settings.place.tls else None
    with ExitStack() as holding:
        if not settings.database:
            _hold_folder(holding, hall_path().parent)
        await _serve_hall(settings, address, tls)


def _hold_folder(holding: ExitStack, folder: Path) -> None:
    """Hold the hall's folder: a second hall there would end the broker of the first. Raises UsageError."""
    try:
        make_folder(folder, 0o700)
        is_alone = holding.enter_context(held(folder / RUNNING))
    except OSError:  # without locks it goes on; HallStore says what else is wrong with the folder
        return
    if not is_alone:
        raise UsageError(
            "a hall is running in this folder already; direct it there or on its page, or use another folder "
            "(COMPANION_HOME)"
        )


async def _serve_hall(settings: HallSettings, address: str, tls: SSLContext | None) -> None:
    store = HallStore(settings.database or str(hall_path()))
    hall = Hall(store)
    await hall.open(settings.name)
    people = load_people(people_path())
    live = await _opened_live(hall, address, settings) if settings.live else None
    routes = live.routes if live else NO_LIVE
    place = Listening(address, settings.place.port, tls)
    server = HallServer(place, hall, routes, who=lambda name: people.who("", name).name)
    committing = asyncio.create_task(hall.run())
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, committing.cancel)
    try:
        await server.open(PORTS)
        await _open_night(hall, settings)
        print_codes(hall, server)
        if live is not None:
            print_live(hall, server, live)
        print(f"Or direct the night here. Ctrl-C ends the server, never the night.\n{HELP}\n{status(hall)}", flush=True)
        with suppress(asyncio.CancelledError):
            if settings.screen:
                screen = HallScreen(hall, live.board if live else None, server.players_link)
                committing.add_done_callback(lambda _ended: screen.exit())  # SIGTERM, or a mistake of ours
                await screen.run_async()
            else:
                await asyncio.gather(committing, HallDesk(hall, people, server.players_link).run())
    finally:
        committing.cancel()
        with suppress(asyncio.CancelledError):
            await committing
        if live is not None:
            await live.close()
        await server.close()
        store.close()


async def _opened_live(hall: Hall, address: str, settings: HallSettings) -> OpenLive | None:
    """Without a broker there are rounds and results all the same."""
    try:
        return await open_live(hall, address, settings.live or LiveOptions(), quiet=settings.screen)
    except LinkError as error:
        print(f"Tables are not live: {error}", flush=True)
        return None


def print_live(hall: Hall, server: HallServer, live: OpenLive) -> None:
    place = live.place
    broker = f"{'mqtts' if place.tls else 'mqtt'}://{place.host or server.place.address}:{place.port}"
    print(f"  display:   {server.players_link}?display", flush=True)
    print(f"  broker:    {broker}, topics companion/1/{place.hall}/…", flush=True)


async def _open_night(hall: Hall, settings: HallSettings) -> None:
    """A night that was interrupted goes on."""
    night = hall.state.night
    if settings.game and night is not None:
        plan = night.plan
        said = (settings.game, settings.minutes, settings.top_table, settings.plain_points)
        is_same = said == (plan.game, plan.minutes, plan.top_table, plan.plain_points)
        if not is_same or hall.now() - night.begun_at > EVENING_S:
            day = time.strftime("%d %b", time.localtime(night.begun_at))
            print(f"The night of {title(plan.game)}, {day}, goes on as it was opened; `close` ends it.", flush=True)
    elif settings.game:
        form: Form = {
            "game": [settings.game],
            "option": settings.options,
            "minutes": [str(settings.minutes)],
            "top_table": ["1"] if settings.top_table else [],
            "plain_points": ["1"] if settings.plain_points else [],
        }
        await hall.change(form_decision("open", form, hall.now()))


def print_codes(hall: Hall, server: HallServer) -> None:
    url = server.place.url
    print(f"The hall {hall.state.club} is at {url}", flush=True)
    print(f"  tables:    companion play --hall {url}   with the code {hall.table_code}", flush=True)
    print(f"  players:   {server.players_link}", flush=True)
    print(f"  director:  {url}/in/{hall.director_code}  (keep this one to yourself)", flush=True)


class HallDesk:
    """Where people sign in: the terminal, and the readers in table.toml for player cards."""

    def __init__(self, hall: Hall, people: People, link: str = "") -> None:
        """`link`: where phones sign in."""
        self._hall, self._people, self._link = hall, people, link
        self._card = ""
        """An unknown player card, which the next person who signs in owns."""
        self._is_answering = False
        """What a line does is in its answer, and no news."""
        hall.listen(self._tell_news)
        hall.on_table_note = self._tell_note

    async def run(self) -> None:
        await asyncio.gather(self._hear_lines(), self._hear_cards())

    def _tell_news(self, entry: LogEntry) -> None:
        """What tables, phones, the director's page and other servers do."""
        if not self._is_answering and (line := news(self._hall.state, entry)):
            print(line, flush=True)

    def _tell_note(self, table: str, note: str) -> None:
        print(plain(f"Table {table}: {note}", MESSAGE_LENGTH), flush=True)

    async def _hear_lines(self) -> None:
        async for line in typed_lines():
            if line.strip().lower() == "code":
                _print_code(self._link)
                continue
            await self.obey(line)

    async def obey(self, line: str) -> None:
        """A line for the hall. The card waits until somebody has it."""
        await self.answer(answer_line(self._hall, line, self._card))
        if self._card in self._hall.state.cards:
            self._card = ""

    async def answer(self, doing: Awaitable[str]) -> None:
        """What came of it, or why it is refused."""
        self._is_answering = True
        try:
            print(await doing, flush=True)
        except CompanionError as error:
            print(plain(str(error), MESSAGE_LENGTH), flush=True)
        finally:
            self._is_answering = False

    async def _hear_cards(self) -> None:
        """A problem with a reader is one line: names can be typed."""
        cards = asyncio.Queue[str]()

        def hear(signal: Signal) -> None:
            if isinstance(signal, TagPlaced | TagFound):
                cards.put_nowait(signal.uid)

        try:
            wired = find_table(home())
            devices = equipment(TableSettings(readers=wired.readers, satellite=wired.satellite))
        except CompanionError as error:
            print(plain(str(error), MESSAGE_LENGTH), flush=True)
            return
        reading = [asyncio.create_task(device.run(hear)) for device in devices]
        try:
            while reading:
                await self.lay(await cards.get())
        finally:
            for task in reading:
                task.cancel()

    async def lay(self, card: str) -> None:
        """A player card on the reader."""
        await self.answer(answer_card(self._hall, card, self._people))
        is_known = card in self._hall.state.cards or self._people.with_card(card) is not None
        self._card = "" if is_known else card


def _print_code(link: str) -> None:
    """The players' link as a QR code."""
    print(link, flush=True)
    segno.make(link, error="l", micro=False).terminal(compact=True, border=2)


async def typed_lines() -> AsyncIterator[str]:
    """Lines of standard input; none if it is a file or closed. (A thread that reads would outlive a Ctrl-C.)"""
    loop, lines, rest = asyncio.get_running_loop(), asyncio.Queue[str | None](), bytearray()

    def hear() -> None:
        data = os.read(descriptor, LINE_BYTES)
        rest.extend(data)
        while b"\n" in rest:
            line, _, after = rest.partition(b"\n")
            rest[:] = after
            lines.put_nowait(line.decode(errors="replace"))
        if not data or len(rest) > LINE_BYTES:
            loop.remove_reader(descriptor)
            lines.put_nowait(None)

    try:
        descriptor = sys.stdin.fileno()
        loop.add_reader(descriptor, hear)
    except (OSError, ValueError, AttributeError):  # closed, or a file
        return
    try:
        while (line := await lines.get()) is not None:
            yield line
    finally:
        loop.remove_reader(descriptor)


def checked_club(name: str) -> str:
    """The name of a club that can be shown; "" if it was not said. Raises UsageError."""
    cleaned = plain(name, 40)
    if name and not cleaned:
        raise UsageError("a club needs a name that can be shown")
    return cleaned
