"""A whole evening on an emulated satellite, in emulated time: hands act on the board, the real referee hears signals.

Cards are tapped on the centre, which is a reader of the Pi: those signals are given directly.
"""

from collections.abc import Callable
from functools import partial
from itertools import groupby
from pathlib import Path

from companion.gamekit.game import Score
from companion.gamekit.snapshot import Snapshot
from companion.journal.store import Journal
from companion.messages.intentions import Act
from companion.processes.evenings import first_entry
from companion.processes.referee_process import seat_pads_of, simulated_table
from companion.processes.simulation_settings import SimulationSettings
from companion.referee import event_loop
from companion.referee.referee import Referee
from companion.session.evening import Evening
from companion.simulation.emulated_host import EmulatedHost
from companion.simulation.hands import Given
from companion.stations import CENTRE
from companion.table.effects import Pattern
from companion.table.presence import REPEAT_MS
from companion.table.signals import Held, Missed, Pressed, Signal, TagFound, TagPlaced, TagRemoved
from companion.verbs import demo

PATIENCE_MS = 1_500
"""How long hands wait for an answer before they try again."""
AWAY_MS = 30_000
"""No station stays away for so long."""


class PlayedEvening:
    """A game of Lascaux, simulated players at real rules. With a host hands use its board."""

    def __init__(self, folder: Path, seed: int, players: int, host: EmulatedHost | None = None) -> None:
        folder.mkdir()
        self._journal = Journal.create(folder, date=demo.DEMO_DAY)
        body = first_entry(demo.demo_plan("lascaux", players, "full", {}))
        evening = Evening([self._journal.append("game", body, "", "", 0.0)])
        self._seat_pads = seat_pads_of(evening)
        self._referee = Referee(self._journal, evening, self._seat_pads)
        self._table = simulated_table(evening, self._seat_pads, SimulationSettings(seed))
        self.host = host
        self.lights: dict[str, Pattern] = {}
        self._pressed: dict[str, tuple[str, float]] = {}
        if host:
            host.deliver = self.hear
            for signal in host.signals:
                self.hear(signal)

    def close(self) -> None:
        self._journal.close()

    # --- The referee ------------------------------------------------------------------------------------------

    def hear(self, signal: Signal) -> None:
        told = self._referee.hear(signal, 0.0)
        if self.host:
            for effect in event_loop.answer(signal, told):
                self.host.show(effect)
            self.light()

    def light(self) -> None:
        assert self.host is not None
        lights = event_loop.lights(self._referee.snapshot(), self._seat_pads.pads)
        for effect in event_loop.changes(self.lights, lights):
            self.host.show(effect)
        self.lights = lights

    # --- The hands --------------------------------------------------------------------------------------------

    def play(self, between: Callable[[int], None] = lambda deed: None) -> tuple[Score, ...]:
        """Until the end. `between` is called before each deed with its number."""
        at_ms = deeds = 0
        snapshot: Snapshot = self._referee.snapshot()
        while deed := self._table.next(snapshot, at_ms):
            between(deeds)
            for _, steps in groupby(deed.steps, key=lambda step: type(step[1])):
                self._do([given for _, given in steps])
            at_ms += sum(wait_ms for wait_ms, _ in deed.steps)
            snapshot, deeds = self._referee.snapshot(), deeds + 1
        return snapshot.scores

    def _do(self, given: list[Given]) -> None:
        for each in given:
            if isinstance(each, Act):
                self._referee.heed(each, 0.0)
            elif self.host is None or each.station == CENTRE:
                self.hear(each)
            elif isinstance(each, TagPlaced):
                self._until_noticed(each.station, partial(self._lay, each.station, each.uid))
            elif isinstance(each, Pressed | Held):
                self._until_noticed(each.station, partial(self._press, each))
        if self.host and isinstance(given[0], TagRemoved):
            self._lift([(each.station, each.uid) for each in given if isinstance(each, TagRemoved)])

    def _until_noticed(self, station: str, attempt: Callable[[], bool]) -> None:
        host = self.host
        assert host is not None
        while not attempt():
            assert host.run_until(lambda: station in host.ready, AWAY_MS), f"{station} is away for ever"

    def _wait(self, noticed: Callable[[Signal], bool], within_ms: float, since: int) -> Signal | None:
        host = self.host
        assert host is not None
        host.run_until(lambda: any(map(noticed, host.signals[since:])), within_ms)
        return next(filter(noticed, host.signals[since:]), None)

    def _lay(self, station: str, uid: str) -> bool:
        assert self.host is not None
        since = len(self.host.signals)
        self.host.board.lay(_pad(station), uid)
        told = self._wait(
            lambda said: isinstance(said, TagPlaced | TagFound) and (said.station, said.uid) == (station, uid),
            PATIENCE_MS,
            since,
        )
        if told is None:
            self._lift([(station, uid)])
        return told is not None

    def _lift(self, tags: list[tuple[str, str]]) -> None:
        host = self.host
        assert host is not None
        for station, uid in tags:
            if station != CENTRE:
                host.board.lift(_pad(station), uid)
        lifted = {uid for station, uid in tags if station != CENTRE}
        host.run_until(lambda: not lifted & host.lying.keys(), PATIENCE_MS)

    def _press(self, what: Pressed | Held) -> bool:
        """A press that was missed has to be done again; one that is only late must not."""
        host = self.host
        assert host is not None
        button, before_ms = self._pressed.get(what.station, ("", 0.0))
        if button == what.button:
            host.run(max(0.0, before_ms + REPEAT_MS + 20 - host.board.now_ms))
        since = len(host.signals)
        host.board.press(_pad(what.station), what.button, 2_100 if isinstance(what, Held) else 30)
        told = None
        while told is None:
            told = self._wait(
                lambda said: isinstance(said, Pressed | Held | Missed) and said.station == what.station,
                PATIENCE_MS,
                since,
            )
            if told is None and what.station in host.ready:
                return False
        self._pressed[what.station] = (what.button, host.board.now_ms)
        return not isinstance(told, Missed)


def _pad(station: str) -> int:
    return int(station.removeprefix("pad"))
