"""One table's referee: lets the session judge what is heard, writes what it wants into the journal, and has it taken.

An accepted action is durable before `hear` or `heed` returns, so no screen shows an effect that a power cut could undo.
When the disk fails and it is unknown whether an entry was written, both raise DoubtError: another referee has to read
the journal from the start.
"""

from companion.errors import DoubtError, JournalError
from companion.gamekit.snapshot import Snapshot, Told
from companion.journal.store import Journal
from companion.messages.intentions import A, Inquiry, Intention
from companion.session.dealt_hands import Dealer
from companion.session.entry import Entry
from companion.session.evening import Evening
from companion.session.session import Decision, Session, Wanted
from companion.table.interpreter import SeatPads
from companion.table.signals import Signal


class Referee:
    """All methods answer at once; only one thing is heard at a time."""

    def __init__(  # noqa: PLR0913 - all that a session begins with
        self,
        journal: Journal,
        evening: Evening,
        seat_pads: SeatPads,
        *,
        resumed: bool = False,
        dealer: Dealer | None = None,
        resumed_at: float | None = None,
        alive_at: float | None = None,
    ) -> None:
        """See `Session`. `alive_at`: when the referee before us, which was killed, was last seen alive; None: it was
        not killed, or nothing is known of it. Raises DoubtError."""
        self._journal = journal
        self.session = Session(
            evening,
            journal.id,
            seat_pads,
            resumed=resumed,
            dealer=dealer,
            doubted=journal.doubted,
            resumed_at=resumed_at,
        )
        if alive_at is not None and resumed_at is not None:
            self._count_time(alive_at, resumed_at)

    def _count_time(self, alive_at: float, resumed_at: float) -> None:
        try:
            for wanted in self.session.after_kill(alive_at, resumed_at):
                self.session.take(self._write(wanted))
        except DoubtError:
            raise
        except JournalError:
            pass  # a full disk: the next action says so to the players

    def hear(self, signal: Signal, at: float) -> Told:
        """Answer a signal from a device. `at` is the time of day, for the journal."""
        return self._carry_out(self.session.hear(signal, at))

    def heed(self, intention: Intention, at: float) -> Told:
        """Answer what a player wants."""
        return self._carry_out(self.session.heed(intention, at))

    def _carry_out(self, decision: Decision) -> Told:
        if isinstance(decision, Told):
            return decision
        try:
            for first in self.session.before(decision):
                self.session.take(self._write(first))
            entry = self._write(decision)
        except DoubtError:
            raise  # only the referee that reads the journal again knows whether it counts
        except JournalError as error:
            return self.session.unwritten(decision, str(error))
        return self.session.take(entry)

    def _write(self, wanted: Wanted) -> Entry:
        """Raises JournalError."""
        heard = wanted.heard
        return self._journal.append(wanted.kind, wanted.body, heard.how, heard.cause, heard.at)

    def inform(self, inquiry: Inquiry[A]) -> A:
        """Answer a question. Nothing changes."""
        return self.session.inform(inquiry)

    def snapshot(self) -> Snapshot:
        """All that a screen may see now."""
        return self.session.snapshot()

    @property
    def box_text(self) -> str:
        """The box as it will be in the next game."""
        return self.session.evening.header.box
