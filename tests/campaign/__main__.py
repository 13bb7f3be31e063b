"""`make campaign`: every trial at full length, or those that are named: python -m tests.campaign pads journal.

What came of it is written into docs/reliability.md if all of them ran at full length, and is printed in any case.
"""

import argparse
import platform
import sys
import time
from pathlib import Path

from tests.campaign.trial import Outcome, names, trial

PAGE = Path(__file__).parents[2] / "docs" / "reliability.md"
BEGIN, END = "<!-- campaign: begin -->", "<!-- campaign: end -->"


def row(name: str, outcome: Outcome) -> str:
    seen = ", ".join(f"{count:,} {what}" for what, count in outcome.seen.items())
    return f"| {trial(name).TITLE} | {outcome.tried:,} | {len(outcome.failures):,} | {trial(name).HOW} {seen} |"


def publish(rows: dict[str, str]) -> None:
    """Rows of trials that were not run this time stay as they were."""
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    old, after = rest.split(END)
    kept = {line.split("|")[1].strip(): line for line in old.splitlines() if line.startswith("| ")}
    kept = {title: line for title, line in kept.items() if title not in ("what was tried", "")}
    table = kept | {trial(name).TITLE: line for name, line in rows.items()}
    head = ["| what was tried | how often | failed | how |", "|---|---|---|---|"]
    PAGE.write_text(f"{before}{BEGIN}\n" + "\n".join([*head, *table.values()]) + f"\n{END}{after}", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.campaign", description="Faults by the thousand.")
    parser.add_argument("trials", nargs="*", metavar="TRIAL", help=", ".join(names()))
    parser.add_argument("--count", type=int, help="how often, instead of the full length: nothing is written down")
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    if unknown := sorted(set(wanted.trials) - set(names())):
        parser.error(f"there is no trial {unknown[0]}")
    failed, rows = 0, {}
    for name in wanted.trials or names():
        begun = time.monotonic()
        outcome: Outcome = trial(name).run(wanted.count or trial(name).FULL, wanted.seed)
        print(f"{name}: {outcome} ({time.monotonic() - begun:.0f} s, Python {platform.python_version()})", flush=True)
        failed += len(outcome.failures)
        rows[name] = row(name, outcome)
        if not wanted.count:
            publish({name: rows[name]})
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
