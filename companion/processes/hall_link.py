"""A table's link to its hall: it takes players from there, and delivers results in the background."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from msgspec.structs import replace

from companion.config import HallTableSettings
from companion.errors import BoxError, CompanionError, LinkError
from companion.files import changing, load_text, store
from companion.gamekit import discovery
from companion.gamekit.game import Thing
from companion.hall.hall_client import (
    LINE,
    HallAwayError,
    HallClient,
    HallRefusedError,
    Membership,
    check_club,
    hall_url,
    load_membership,
    store_membership,
    wrong_clock,
)
from companion.hall.hall_messages import TablePlan
from companion.hall.outbox import Outbox
from companion.home.box_files import SIZE_LIMIT
from companion.home.crash_log import note
from companion.home.paths import (
    box_path,
    club_box_path,
    club_pack_path,
    evenings_folder,
    hall_membership_path,
    outbox_folder,
)
from companion.home.tag_packs import stored_pack
from companion.journal.evening_folder import evening_id
from companion.language.wording import plain
from companion.messages.live_tables import BrokerAccess, LiveSettings
from companion.messages.lobby import GamePlan, HallOffer, HallTablePlan
from companion.table.pieces import Pack, PackError, pack_text, parse_pack

DELIVER_S, AWAY_S = 2.0, 15.0
"""How often to look for results, and to ask a hall again that was away."""
TRIES = 3
"""How often the code is asked for."""
ALONE = "you can play on alone: choose a game; results are delivered later"


def join_hall(typed: str, ask: Callable[[str], str]) -> Membership:
    """The membership of the hall at this address. `ask` gets the code from the person at the table, if it is needed.
    Raises LinkError."""
    url, code = hall_url(typed)
    path = hall_membership_path()
    known = load_membership(path)
    own = known if known is not None and known.url == url else None
    client = HallClient(url, own)
    try:
        facts = client.facts()
    except HallAwayError as error:
        if own is not None and not code:
            return own  # it plays alone until the hall comes back
        raise LinkError(f"{error}; `companion play` without --hall plays alone") from None
    if known is not None and facts.club_id == known.club_id and not code:
        check_club(facts, known)
        if known.url != url:
            known = replace(known, url=url)
            store_membership(path, known)
        return known
    reason = ""
    if known is not None and not code:
        try:
            check_club(facts, known)
        except LinkError as error:
            reason = f"{error}\n"
    made = HallClient(url).join(code) if code else _asked(HallClient(url), reason, facts.club, ask)
    store_membership(path, made)
    return made


def _asked(client: HallClient, reason: str, club: str, ask: Callable[[str], str]) -> Membership:
    """The membership for the code that a person types. A typing error is asked again. Raises LinkError."""
    for _ in range(TRIES - 1):
        try:
            return client.join(ask(f"{reason}The code that the hall of {club} shows: "))
        except HallRefusedError as refusal:
            reason = f"{str(refusal)[:1].upper()}{str(refusal)[1:]}.\n"
    return client.join(ask(f"{reason}The code that the hall of {club} shows: "))


class HallLink:
    def __init__(
        self, membership: Membership, table: HallTablePlan | None = None, now: Callable[[], float] = time.time
    ) -> None:
        self._membership, self._table, self._now = membership, table or HallTablePlan(), now
        self._client = HallClient(membership.url, membership, now)
        self._outbox = Outbox(outbox_folder(), evenings_folder())
        self._leaving = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.problem = ""
        """Why results do not reach the hall; "" if they do."""

    # --- In the background ------------------------------------------------------------------------------------

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Deliver once more what has just been finished."""
        self._leaving.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while True:
            is_last = self._leaving.is_set()
            self.deliver()
            if is_last:
                return
            self._leaving.wait(AWAY_S if self.problem else DELIVER_S)

    def deliver(self) -> None:
        """Collect results and send them. Whatever is wrong is tried again later."""
        try:
            self._outbox.collect()
            self.problem = self._outbox.deliver(self._membership.club_id, self._client.report)
        except (OSError, CompanionError) as error:
            self.problem = str(getattr(error, "strerror", None) or error)
        except Exception as error:  # a mistake of ours must not end the evening
            self.problem = "results cannot be sent"
            note(f"the table's link to its hall: {type(error).__name__}")

    # --- For the lobby ----------------------------------------------------------------------------------------

    def offer(self) -> HallOffer:
        return HallOffer(self._membership.club, self._membership.table, self.problem)

    def live(self, own: HallTableSettings) -> LiveSettings | None:
        """Where this table is published: our credential is the password there. None: the hall has no broker, or does
        not want us. Raises LinkError."""
        membership = self._membership
        try:
            place = self._client.live()
        except HallRefusedError:
            return None
        host = place.host or urlsplit(membership.url).hostname or ""
        access = BrokerAccess(host, place.port, place.table, membership.credential, place.tls, place.certificate)
        return LiveSettings(place.hall, place.table, access, membership.table, own.home_assistant, own.pause)

    def take(self, begin: Callable[[GamePlan], Path]) -> Path:
        """Begin the evening that the hall has planned for this table. Raises LinkError, and what `begin` raises."""
        try:
            facts = self._client.facts()
            check_club(facts, self._membership)
            plan = self._plan()
        except HallAwayError as error:
            raise LinkError(f"{error}; {ALONE}") from None
        try:
            assignment = self._outbox.take(self._membership.club_id, plan, self._now())
            try:
                path = begin(self._game_plan(plan))
            except CompanionError:
                self._outbox.drop(assignment)
                raise
            self._outbox.bind(assignment, evening_id(path))
        except OSError as error:
            raise LinkError(f"the outbox cannot be written: {error.strerror}") from None
        self.problem = plain(plan.note, LINE) or wrong_clock(facts, self._now())
        return path

    def _game_plan(self, plan: TablePlan) -> GamePlan:
        computer = self._table.computer
        box = club_box_path(plan.game) if plan.box is not None and not box_path(plan.game).exists() else None
        return replace(
            self._table.own,
            game=plan.game,
            players=plan.players,
            simulated=tuple(seat for seat, name in enumerate(plan.players) if computer is None or name in computer),
            levels={seat: level for seat, name in enumerate(plan.players) if (level := (computer or {}).get(name))},
            options=plan.options,
            box=box,
        )

    # --- Boxes of the club ------------------------------------------------------------------------------------

    def _plan(self) -> TablePlan:
        """Ask for players; the table's own box becomes one of the club's, and the club's tags come here."""
        plan = self._taken()
        own = self._shared_box(plan.game)
        if own and (plan.box is None or plan.box.name != own):
            plan = self._taken(own)
        self._store_boxes(plan)
        return plan

    def _taken(self, own_box: str = "") -> TablePlan:
        """Raises UsageError or GameError for a game that is not one of this table: files are called like it."""
        plan = self._client.take(own_box)
        discovery.find(plan.game)
        return plan

    def _shared_box(self, game: str) -> str:
        """The name of our own enrolled box in the club; "" if there is none."""
        try:
            pack = stored_pack(game)
            printed = load_text(box_path(game), SIZE_LIMIT, "box", BoxError)
        except (FileNotFoundError, PackError, BoxError):
            return ""
        return self._client.share_box(game, printed, pack_text(pack)) if pack.tags else ""

    def _store_boxes(self, plan: TablePlan) -> None:
        tags, tokens = dict[str, Thing](), dict[str, str]()
        for box in self._client.boxes(plan.game):
            with suppress(PackError):  # one that cannot be read does not stop the others
                pack = parse_pack(box.tags, box.name)
                tags |= pack.tags
                tokens |= pack.tokens
        path = club_pack_path(plan.game)
        with changing(path.parent.parent):
            if tags:
                store(path, pack_text(Pack(tags, tokens)))
            if plan.box is not None:
                store(club_box_path(plan.game), plan.box.printed)
