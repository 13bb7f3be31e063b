"""A table's side of the hall: joining it, taking its players, sending results. Every call may block for a moment."""

import hashlib
import http.client
import secrets
import ssl
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote, urlsplit

import msgspec
from msgspec import Struct

from companion.errors import LinkError
from companion.files import PRIVATE, changing, load, store
from companion.hall.hall_messages import (
    CLOCK_S,
    PORT,
    PROTOCOL,
    PROTOCOL_HEADER,
    TIME_HEADER,
    BoxUse,
    ClubBox,
    ClubBoxes,
    ClubFacts,
    GameReport,
    HallRefusal,
    Joined,
    JoinRequest,
    LivePlace,
    Stored,
    TablePlan,
)
from companion.language.screen_language import spoken
from companion.language.wording import plain

TIMEOUT_S = 5.0
ANSWER_BYTES = 16 * 1024 * 1024
"""All boxes of a game, with their tags."""
LINE = 300
HUNG_UP = "it hangs up"
PASSING = (426, 503)
"""Refusals that do not last: one side is updated, or the database comes back."""
T = TypeVar("T")


class HallAwayError(LinkError):
    """The hall does not answer now. The table plays on alone, and asks again."""


class HallRefusedError(LinkError):
    """The hall has said no, and why. To ask again would not help."""


class Membership(Struct, frozen=True):
    """The hall to which a table belongs."""

    url: str
    club: str
    club_id: str
    table: str
    credential: str
    certificate: str = ""
    """With HTTPS: the SHA-256 of the hall's certificate, as it was when the table joined."""

    def __repr__(self) -> str:
        """Without the credential: a repr ends up in logs."""
        return f"Membership({self.club!r}, {self.table!r})"


def load_membership(path: Path) -> Membership | None:
    with suppress(OSError, ValueError):  # msgspec's errors are ValueErrors; a table without one joins again
        return msgspec.json.decode(load(path, 64 * 1024), type=Membership)
    return None


def store_membership(path: Path, membership: Membership) -> None:
    """Raises LinkError."""
    try:
        with changing(path.parent):
            store(path, msgspec.json.encode(membership), PRIVATE)
    except OSError as error:
        raise LinkError(f"{path}: cannot store this table's credential: {error.strerror}") from None


def hall_url(typed: str) -> tuple[str, str]:
    """The address of a hall as people type it, 192.0.2.7 or http://192.0.2.7:8170#K7MX-2P9D, and the code in it. Raises
    LinkError."""
    place, _, code = typed.strip().partition("#")
    try:
        parts = urlsplit(place if "://" in place else f"http://{place}")
        port = parts.port or PORT
    except ValueError:
        parts, port = urlsplit(""), 0
    if parts.scheme not in ("http", "https") or not parts.hostname or not port:
        raise LinkError(f"{plain(typed, 60)} is no address of a hall; it prints one, such as http://192.0.2.7:{PORT}")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}:{port}", code


class HallClient:
    """Talks to the hall at this address; as a member of it, once the table has joined."""

    def __init__(self, url: str, membership: Membership | None = None, now: Callable[[], float] = time.time) -> None:
        self.url, self.membership, self._now = url, membership, now

    # --- Joining ----------------------------------------------------------------------------------------------

    def facts(self) -> ClubFacts:
        """Whose hall this is. Raises HallAwayError, HallRefusedError."""
        return self._ask("GET", "/club", None, ClubFacts)

    def join(self, code: str, table: str = "") -> Membership:
        """Raises HallAwayError, HallRefusedError."""
        joined = self._ask("POST", "/tables", JoinRequest(code, table), Joined)
        seen = self._certificate if self.url.startswith("https") else ""
        membership = Membership(self.url, joined.club, joined.club_id, joined.table, joined.credential, seen)
        self.membership = membership
        return membership

    _certificate = ""
    """The SHA-256 of the certificate that was seen last."""

    # --- As a member ------------------------------------------------------------------------------------------

    def take(self, own_box: str = "") -> TablePlan:
        return self._ask("POST", "/table/take", BoxUse(own_box), TablePlan)

    def report(self, key: str, report: GameReport) -> Stored:
        """It returns when the hall has committed this revision, or knows a newer one."""
        return self._ask("PUT", f"/results/{key}", report, Stored)

    def share_box(self, game: str, printed: str, tags: str) -> str:
        """The name of this box in the club."""
        return self._ask("PUT", f"/boxes/{quote(game, safe='')}", ClubBox("", printed, tags), ClubBox).name

    def boxes(self, game: str) -> tuple[ClubBox, ...]:
        return self._ask("GET", f"/boxes/{quote(game, safe='')}", None, ClubBoxes).boxes

    def live(self) -> LivePlace:
        """Where this table is published. Raises HallRefusedError if the hall has no broker."""
        return self._ask("GET", "/live", None, LivePlace)

    # --- Talking ----------------------------------------------------------------------------------------------

    def _ask(self, method: str, path: str, message: Struct | None, kind: type[T]) -> T:
        body = msgspec.json.encode(message) if message is not None else None
        try:
            status, data = self._exchange(method, path, body)
        except (OSError, http.client.HTTPException) as error:
            said = getattr(error, "strerror", None) or type(error).__name__
            if isinstance(error, ConnectionResetError):  # also http.client's RemoteDisconnected
                is_new = self.membership is None and self.url.startswith("http:")
                said = f"{HUNG_UP}; with --tls its address begins with https" if is_new else HUNG_UP
            raise HallAwayError(f"the hall at {self.url} does not answer ({plain(str(said), 80)})") from None
        if status == 200:
            try:
                return msgspec.json.decode(data, type=kind)
            except (msgspec.MsgspecError, RecursionError):
                raise HallRefusedError(f"{self.url} does not answer like a hall; is it another program?") from None
        raise self._refusal(status, data)

    def _refusal(self, status: int, data: bytes) -> LinkError:
        with suppress(msgspec.MsgspecError, RecursionError):
            problem = plain(msgspec.json.decode(data, type=HallRefusal).problem, LINE)
            return (HallAwayError if status in PASSING else HallRefusedError)(problem)
        if status == 401:
            return HallAwayError("the hall does not know this table's credential; join it again with its code")
        if status == 429 or status >= 500:
            return HallAwayError(f"the hall at {self.url} cannot answer now (status {status})")
        return HallRefusedError(f"{self.url} does not answer like a hall (status {status}); is it another program?")

    def _exchange(self, method: str, path: str, body: bytes | None) -> tuple[int, bytes]:
        """Raises OSError, HTTPException."""
        headers = {PROTOCOL_HEADER: str(PROTOCOL), TIME_HEADER: f"{self._now():.3f}", "Accept-Language": spoken()}
        if self.membership is not None:
            headers["Authorization"] = f"Bearer {quote(self.membership.table)}:{self.membership.credential}"
        connection = self._connection()
        try:
            connection.connect()
            self._check_certificate(connection)
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read(ANSWER_BYTES)
        finally:
            connection.close()

    def _connection(self) -> http.client.HTTPConnection:
        place = urlsplit(self.url)
        if place.scheme == "http":
            return http.client.HTTPConnection(place.netloc, timeout=TIMEOUT_S)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE  # `_check_certificate` does it
        return http.client.HTTPSConnection(place.netloc, timeout=TIMEOUT_S, context=context)

    def _check_certificate(self, connection: http.client.HTTPConnection) -> None:
        """A hall signs its certificate itself: it has to be the one that this table saw when it joined."""
        if isinstance(connection.sock, ssl.SSLSocket):
            self._certificate = hashlib.sha256(connection.sock.getpeercert(binary_form=True) or b"").hexdigest()
            known = self.membership.certificate if self.membership else ""
            if known and not secrets.compare_digest(known, self._certificate):
                raise ConnectionError(None, "its certificate is not the one that this table knows")


# --- Whose hall it is -----------------------------------------------------------------------------------------


def check_club(facts: ClubFacts, membership: Membership) -> None:
    """Raises HallRefusedError if this is another hall, or speaks another protocol."""
    if facts.protocol != PROTOCOL:
        older = "the hall" if facts.protocol < PROTOCOL else "this table"
        raise HallRefusedError(
            f"the hall speaks protocol {facts.protocol}, this table {PROTOCOL}: {older} has an old version of "
            "Companion; `companion update` says how to update it"
        )
    if facts.club_id == membership.club_id:
        return
    if facts.club == membership.club:
        raise HallRefusedError(
            f"there are two halls called {plain(facts.club, 40)}, and this table belongs to the other one; join this "
            "one with its code"
        )
    raise HallRefusedError(
        f"this is the hall of {plain(facts.club, 40)}, and this table belongs to {plain(membership.club, 40)}; join "
        "this one with its code"
    )


def wrong_clock(facts: ClubFacts, now: float) -> str:
    """How far this table's clock is off; "" if it is right."""
    off = round((now - facts.at) / 60)
    if abs(now - facts.at) <= CLOCK_S:
        return ""
    return f"this table's clock is {abs(off)} minutes {'ahead of' if off > 0 else 'behind'} the hall's; set one of them"
