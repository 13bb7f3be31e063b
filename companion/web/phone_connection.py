"""The connection of one phone: what it still has to be sent, and what it may send."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Annotated, Any, Literal, Protocol, TypeAlias

import msgspec
from aiohttp import WSMsgType, web
from msgspec import Meta, Struct

from companion.gamekit.game import Seat
from companion.gamekit.snapshot import Thoughts
from companion.language.screen_language import _, preferred
from companion.messages import intentions
from companion.messages.intentions import Intention, IntentionId
from companion.web.access_codes import Guest
from companion.web.hub import Hub
from companion.web.phone_menus import opened
from companion.web.phone_view import all_lines, line_of_bot, rules, show, why
from companion.web.rate_limit import Allowance
from companion.web.table_words import LineMark

# --- Messages between a phone and its server over the WebSocket, as JSON.

LanguageWish: TypeAlias = Annotated[str, Meta(max_length=40)]
MenuStep: TypeAlias = Annotated[int, Meta(ge=0, le=10_000)]
Width: TypeAlias = Annotated[int, Meta(ge=1, le=1000)]


class PhoneHello(Struct, frozen=True, tag_field="is", tag="hello"):
    """How the phone shows the table: in which language, and how many characters fit in a line. Sent again when that
    changes."""

    language: LanguageWish = ""
    cells: Width = 34
    chosen: bool = False
    """The player has chosen this language on this phone: it counts more than what they want at every table."""
    mark: LineMark | None = None
    """Up to where the page has got the lines of the evening. It counts in the first message of a connection."""


class Open(Struct, frozen=True, tag_field="is", tag="open"):
    """Asks for a menu's choices: the number of the button, then of each choice that led here."""

    path: Annotated[tuple[MenuStep, ...], Meta(min_length=1, max_length=40)]


class Explain(Struct, frozen=True, tag_field="is", tag="why"):
    """Why this line?"""

    line: int


class Help(Struct, frozen=True, tag_field="is", tag="help"):
    """The rules of the game."""


class ShowAgain(Struct, frozen=True, tag_field="is", tag="show"):
    """The newest show, step by step."""


class PhoneAct(Struct, frozen=True, tag_field="is", tag="act"):
    """An action of this phone's seat."""

    id: IntentionId
    action: dict[str, Any]
    begun: Annotated[int, Meta(ge=0, le=2**53)]
    """The entry with which its game began: a late action does not count in the next game."""

    def __repr__(self) -> str:
        """As with every action: it may be a secret."""
        return f"PhoneAct({self.id!r})"


class Describe(Struct, frozen=True, tag_field="is", tag="describe"):
    """The table and the own hand in words."""


class PhoneTap(Struct, frozen=True, tag_field="is", tag="tap"):
    """This phone has touched a tag."""

    id: IntentionId
    uid: intentions.TagNumber = ""
    text: intentions.TagText = ""
    centre: bool = False
    ask: bool = False


class Settle(Struct, frozen=True, tag_field="is", tag="settle"):
    """Everything that is not an action of the game: undo, agree, turn the page, one more game."""

    id: IntentionId
    what: Literal["undo", "agree", "decline", "prepare", "looked over", "next", "end match", "centre", "errand"]
    number: Annotated[int, Meta(ge=-1, le=2**53)] = 0
    """The number of the newest entry that was seen, of the question, or of the page; 1 to become the centre."""


FromPhone: TypeAlias = PhoneHello | Open | Explain | Help | ShowAgain | Describe | PhoneAct | PhoneTap | Settle


PATIENCE_S = 10.0
"""How long a phone may leave data unread."""
UNREAD = 32
"""How many answers may wait for a phone."""
NARROWEST, WIDEST = 30, 160
OWN_ID = 40
"""The longest id that a phone may give to a message."""
READ_ALL = -1
"""Instead of a line's number: all lines."""


def _no_line() -> dict[str, str]:
    """The answer to a question about a line that has left the history meanwhile."""
    return {"is": "problem", "text": _("This line is no longer shown.")}


_encode = msgspec.json.Encoder().encode


class ConnectionHub(Protocol):
    """What a connection needs of the place where all phones meet."""

    def drawn(self, phone: Any) -> bytes:
        """What this phone shows now, encoded; b"" if there is nothing new to show."""

    def news(self, phone: Any) -> bytes:
        """What it is told before that; b"" if there is nothing."""


class Connection:
    """Sends and hears. What a message means its subclasses say."""

    decoder: msgspec.json.Decoder[Any]
    """For what its page sends."""
    _hub: ConnectionHub

    def __init__(
        self, hub: ConnectionHub, guest: Guest, socket: web.WebSocketResponse, abort: Callable[[], None], page: str = ""
    ) -> None:
        """`page`: the page's own id, so that it replaces its own earlier connection."""
        self.guest, self.page = guest, page
        self.result_link: Callable[[int], str] | None = None
        """Of a game by its number: a wall shows it as a code when the game is over."""
        self.mark: LineMark | None = None
        """Up to where it has been sent the lines of the evening. None: it is new."""
        self.language, self.cells = "en", 34
        self._hub, self._socket, self._abort = hub, socket, abort
        self._allowance = Allowance()
        self._answers: deque[bytes] = deque()
        self._shown = b""
        """What it was sent last."""
        self._drawn = b""
        """What it is to be sent next."""
        self._fresh: deque[bytes] = deque()
        """New lines, which it is sent before the view that shows them."""
        self._stale = False
        self._idle = False
        """It has read everything."""
        self._greeted = False
        """It has sent its language."""
        self._news = asyncio.Event()
        self.dropped = False

    # --- What it is sent --------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Something may have changed. If the phone has read everything, its view is drawn now: all views are drawn
        before the first is sent. Otherwise it is drawn when the phone has read what it was sent before."""
        self._stale = True
        if self._idle:
            self._draw()
        self._news.set()

    def _draw(self) -> None:
        if self._stale and self._greeted:
            self._stale = False
            self._drawn = self._hub.drawn(self)
            if news := self._hub.news(self):
                self._fresh.append(news)

    def drop(self) -> None:
        self.dropped = True
        self._abort()

    def tell(self, message: object) -> None:
        self._answers.append(_encode(message))
        if len(self._answers) > UNREAD:
            self.drop()
        self._news.set()

    async def send_all(self) -> None:
        """Runs until the phone has left."""
        try:
            while not self._socket.closed and not self.dropped:
                self._idle = True
                await self._news.wait()
                self._idle = False
                self._news.clear()
                while self._answers:
                    await self._put(self._answers.popleft())
                self._draw()
                drawn, self._drawn = self._drawn, b""
                while self._fresh:
                    await self._put(self._fresh.popleft())
                if drawn and drawn != self._shown:
                    self._shown = drawn
                    await self._put(drawn)
        except (OSError, TimeoutError):
            self.drop()

    async def _put(self, message: bytes) -> None:
        async with asyncio.timeout(PATIENCE_S):
            await self._socket.send_str(message.decode())

    # --- What it sends ----------------------------------------------------------------------------------------

    async def listen(self) -> None:
        """Runs until the phone leaves or sends something that our page never sends."""
        async for message in self._socket:
            if self.dropped or not self._allowance.takes():
                return
            if message.type in (WSMsgType.PING, WSMsgType.PONG):  # counted like any other message
                if message.type is WSMsgType.PING:
                    async with asyncio.timeout(PATIENCE_S):
                        await self._socket.pong(message.data)
                continue
            if message.type is not WSMsgType.TEXT:
                return
            try:
                said = self.decoder.decode(message.data)
            except (msgspec.MsgspecError, UnicodeError, RecursionError):
                return
            if not self.heed(said):
                return

    def heed(self, said: Any) -> bool:
        """Whether this phone may stay."""
        raise NotImplementedError

    def greet(self, said: PhoneHello, wanted: str = "") -> None:
        """`wanted`: the language that its player wants at every table; "" if they have not said."""
        own = "" if said.chosen else wanted
        if not self._greeted:
            self.mark = said.mark
        self.language = own or preferred({"LANGUAGE": said.language.replace("-", "_").replace(",", ":")})
        self.cells = max(NARROWEST, min(WIDEST, said.cells))
        self._shown, self._greeted = b"", True
        self.refresh()


class Phone(Connection):
    """The phone of a player or a spectator."""

    decoder = msgspec.json.Decoder(FromPhone)
    _hub: Hub

    def answer(self, said: str, kind: str, text: str, line: int = 0, piece: str = "") -> None:
        """The id is the one that the phone gave it. `line`: the number of the line that all players get of it; 0 if
        there is none. `piece`: what was touched."""
        named = said.partition(".")[2]
        self.tell({"is": "answer", "id": named, "kind": kind, "text": text, "line": line, "piece": piece})

    def heed(self, said: FromPhone) -> bool:
        if isinstance(said, PhoneHello):
            self.greet(said, self._hub.preference(self.guest).language)
            return True
        if isinstance(said, PhoneAct | PhoneTap | Settle):
            seat = self._hub.seat_of(self.guest)
            return seat is not None and len(said.id) <= OWN_ID and self._hub.post(self, self._intention(said, seat))
        if isinstance(said, Describe):
            self._hub.survey(self)
            return True
        self._answer(said)
        return True

    def _intention(self, said: PhoneAct | PhoneTap | Settle, seat: Seat) -> Intention:
        """An intention of this phone's player. Ids are kept per player, so one player cannot use up another's."""
        named = f"phone{self.guest}.{said.id}"
        if isinstance(said, PhoneAct):
            return intentions.Act(named, said.action, seat, said.begun)
        if isinstance(said, PhoneTap):
            return intentions.TapTag(named, seat, said.uid, said.text, said.centre, said.ask)
        made: dict[str, Callable[[], Intention]] = {
            "undo": lambda: intentions.Undo(named, said.number),
            "agree": lambda: intentions.Agree(named, seat, said.number),
            "decline": lambda: intentions.Decline(named, said.number),
            "prepare": lambda: intentions.Prepare(named, said.number),
            "errand": lambda: intentions.RunErrand(named, said.number),
            "looked over": lambda: intentions.LookedOver(named),
            "next": lambda: intentions.NextGame(named),
            "end match": lambda: intentions.EndMatch(named),
            "centre": lambda: intentions.BeCentre(named, seat, said.number == 1),
        }
        return made[said.what]()

    def explain(self, line: int, thoughts: Thoughts) -> None:
        """The referee has said what bots thought."""
        sight = self._hub.sight(self)
        if sight is not None:
            self.tell(why(sight, line, thoughts) or _no_line())

    def _answer(self, asked: Open | Explain | Help | ShowAgain) -> None:
        sight = self._hub.sight(self)
        told: Any = None
        if sight is not None and isinstance(asked, Open):
            told = {"is": "menu", "menu": opened(sight, asked.path), "entry": sight.snapshot.entry}
        elif sight is not None and isinstance(asked, Explain):
            if (line := line_of_bot(sight, asked.line)) and self._hub.ask_why(self, line):
                return  # `explain` answers, with what the bot thought
            told = all_lines(sight) if asked.line == READ_ALL else why(sight, asked.line) or _no_line()
        elif sight is not None and isinstance(asked, ShowAgain):
            told = show(sight, self.cells)
        elif sight is not None:
            told = rules(sight)
        if told is not None:
            self.tell(told)
