"""The live side of a hall: its broker, the tables that may publish there, and where they find it.

A table asks with its credential (`GET /live`) and gets the broker's address, its name in topics and the certificate to
trust. Its credential is its password at the broker, too. If the broker is not our own, its owner copies the password
file and the rights that are written here (docs/hall.md).
"""

from collections.abc import Mapping, Sequence

from aiohttp import web

from companion.hall.hall import Hall
from companion.hall.hall_messages import LivePlace
from companion.hall.hall_server import SERVER, answer, refused
from companion.hall.hall_state import HallState, LogEntry, TableJoined, TableRemoved
from companion.hall.mosquitto import Mosquitto
from companion.messages.live_tables import topic_name

CLUB_LETTERS = 4


def hall_topic(state: HallState) -> str:
    """The hall's name in topics. Two halls of one name may share a broker."""
    return f"{topic_name(state.club) or 'hall'}-{state.club_id[:CLUB_LETTERS].lower()}"


def table_topics(state: HallState) -> dict[str, str]:
    """Table → its name in topics. Names that differ only in signs get a number behind them."""
    found: dict[str, str] = {}
    taken = set[str]()
    for table in state.tables:
        wanted = name = topic_name(table) or "table"
        number = 2
        while name in taken:
            name, number = f"{wanted}-{number}", number + 1
        taken.add(name)
        found[table] = name
    return found


class LiveHall:
    """What the tables of this hall need to be live. `broker`: it writes the passwords and rights of all tables, even if
    another broker is used."""

    def __init__(self, hall: Hall, place: LivePlace, broker: Mosquitto) -> None:
        self._hall, self._shared, self._broker = hall, place, broker
        self._forget = hall.listen(self._heard)

    @property
    def routes(self) -> Sequence[web.RouteDef]:
        return (web.get("/live", self._place),)

    def close(self) -> None:
        self._forget()

    def place_of(self, table: str) -> LivePlace:
        place = self._shared
        name = table_topics(self._hall.state)[table]
        return LivePlace(place.hall, name, place.port, place.host, place.tls, place.certificate)

    async def _place(self, request: web.Request) -> web.Response:
        """For a table with its credential. Raises HTTPUnauthorized."""
        return answer(self.place_of(request.app[SERVER].table_of(request)))

    def _heard(self, entry: LogEntry) -> None:
        if isinstance(entry.event, TableJoined | TableRemoved):
            self._broker.admit(admitted(self._hall.state))


def admitted(state: HallState) -> Mapping[str, str]:
    """The hash of each table's credential, by its name in topics."""
    return {name: state.tables[table].credential for table, name in table_topics(state).items()}


async def no_live(_request: web.Request) -> web.Response:
    """For `GET /live` in a hall without a broker."""
    return refused(404, "this hall shows no live tables")


NO_LIVE = (web.get("/live", no_live),)
