"""A disk that fails once, anywhere: what was said about an entry is so."""

import msgspec

from tests import disk
from tests.campaign.trial import Outcome

TITLE = "disks that fail"
HOW = (
    "Under the real SQLite and the whole journal a write or a flush fails once (EIO, ENOSPC, or half of the bytes), "
    "on the journal, its log, its ledger or a new file; then play goes on, and is killed. Nothing that was stored is "
    "missing, and nothing is there that was reported not to count."
)
FULL = 2000
QUICK = 40


def run(count: int, seed: int) -> Outcome:
    told = msgspec.json.decode(disk.run("tests.disk.failing", str(count), str(seed)))
    seen = {
        "entries stored": told["seen"].get("stored", 0),
        "refused for certain": told["seen"].get("does not count", 0),
        "in doubt, and there when the journal was read again": told["seen"].get("counts", 0),
    }
    return Outcome(count, seen, tuple(told["failures"]))
