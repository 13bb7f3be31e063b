"""`make campaign`: every trial at full length, or those that are named: python -m tests.campaign pads journal.

What came of it is printed, and written into docs/reliability.md if a trial ran at full length, or for as many minutes
as were asked for: then with the number of tries that there was time for. With `--add` they are added to what the page
has, which makes sense with other seeds: so a long trial can be run in portions, on many days. What a trial at pads says
of its run 12 is brought about again by python -m tests.campaign pads_on_the_pi --run 12.
"""

import argparse
import platform
import re
import sys
import time
from pathlib import Path

from tests.campaign.hands import evenings
from tests.campaign.trial import Measured, Outcome, names, trial

PAGE = Path(__file__).parents[2] / "docs" / "reliability.md"
BEGIN, END = "<!-- campaign: begin -->", "<!-- campaign: end -->"
PORTIONS = 50
"""Into so many a trial is divided that has only so much time, each with a seed of its own."""


def row(name: str, outcome: Outcome) -> str:
    seen = ", ".join(f"{count:,} {what}" for what, count in outcome.seen.items())
    return f"| {trial(name).TITLE} | {outcome.tried:,} | {len(outcome.failures):,} | {trial(name).HOW} {seen} |"


def published_rows(text: str) -> dict[str, str]:
    """The page's table, by titles."""
    rows = text.partition(BEGIN)[2].partition(END)[0].splitlines()
    found = {line.split("|")[1].strip(): line for line in rows if line.startswith("| ")}
    return {title: line for title, line in found.items() if title != "what was tried"}


def published(name: str) -> Outcome:
    """What the page says of a trial without failures. Raises ValueError if it says something else."""
    text = PAGE.read_text(encoding="utf-8")
    line = published_rows(text).get(trial(name).TITLE, "")
    found = re.fullmatch(r"\| .+? \| ([\d,]+) \| 0 \| (.+) \|", line)
    if found is None or not found[2].startswith(f"{trial(name).HOW} "):
        raise ValueError(f"{PAGE.name} has no figures of {name} that more could be added to")
    counts = [each.split(" ", 1) for each in re.split(r", (?=\d)", found[2].removeprefix(f"{trial(name).HOW} "))]
    measured: dict[str, Measured] = {}
    begin, end = measured_marks(name)
    if begin in text:
        rows = text.partition(begin)[2].partition(end)[0]
        measured = {
            kind: Measured(_number(tried), float(total.replace(",", "")))
            for kind, tried, total in re.findall(r"^\| (\w+) \| ([\d,]+) \| ([\d,.]+) \|$", rows, re.MULTILINE)
        }
    return Outcome(_number(found[1]), {what: _number(count) for count, what in counts}, (), measured)


def _number(text: str) -> int:
    return int(text.replace(",", ""))


def publish(rows: dict[str, str]) -> None:
    """Rows of trials that were not run this time stay as they were."""
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    table = published_rows(text) | {trial(name).TITLE: line for name, line in rows.items()}
    head = ["| what was tried | how often | failed | how |", "|---|---|---|---|"]
    PAGE.write_text(f"{before}{BEGIN}\n" + "\n".join([*head, *table.values()]) + f"\n{END}{after}", encoding="utf-8")


def measured_marks(name: str) -> tuple[str, str]:
    return f"<!-- measured {name}: begin -->", f"<!-- measured {name}: end -->"


def publish_measured(name: str, outcome: Outcome) -> None:
    """The table of a trial that measures something, where its page has a place for it."""
    begin, end = measured_marks(name)
    text = PAGE.read_text(encoding="utf-8")
    if outcome.measured and begin in text:
        before, rest = text.split(begin)
        _old, after = rest.split(end)
        PAGE.write_text(f"{before}{begin}\n" + "\n".join(outcome.table()) + f"\n{end}{after}", encoding="utf-8")


def run_for(name: str, minutes: float, seed: int) -> Outcome:
    """Portion by portion, until all is done or the time is over. One portion at least."""
    ends = time.monotonic() + 60 * minutes
    portion = max(1, trial(name).FULL // PORTIONS)
    so_far = Outcome(0)
    while so_far.tried < trial(name).FULL:
        more: Outcome = trial(name).run(min(portion, trial(name).FULL - so_far.tried), seed)
        so_far += more
        seed += 1
        if time.monotonic() > ends:
            break
    return so_far


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.campaign", description="Faults by the thousand.")
    parser.add_argument("trials", nargs="*", metavar="TRIAL", help=", ".join(names()))
    parser.add_argument("--count", type=int, help="how often, instead of the full length: nothing is written down")
    parser.add_argument("--minutes", type=float, help="for each trial, at most; with --seed 1 the seeds are 1, 2, 3, …")
    parser.add_argument("--add", action="store_true", help="to the page's figures, also with --count; use other seeds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--run", type=int, help="only this one, of trials at pads: nothing is written down")
    wanted = parser.parse_args()
    if unknown := sorted(set(wanted.trials) - set(names())):
        parser.error(f"there is no trial {unknown[0]}")
    if wanted.run is not None:
        if not wanted.trials:
            parser.error("--run needs to know of which trial")
        if other := [name for name in wanted.trials if not hasattr(trial(name), "evening")]:
            parser.error(f"{other[0]} is no trial at pads: its runs cannot be told apart")
        outcomes = [evenings([wanted.run], wanted.seed, trial(name).evening) for name in wanted.trials]
        print(*outcomes, sep="\n")
        return 1 if any(outcome.failures for outcome in outcomes) else 0
    failed = 0
    if wanted.add:
        for name in wanted.trials or names():
            published(name)
    for name in wanted.trials or names():
        begun = time.monotonic()
        if wanted.minutes:
            outcome = run_for(name, wanted.minutes, wanted.seed)
        else:
            outcome = trial(name).run(wanted.count or trial(name).FULL, wanted.seed)
        print(f"{name}: {outcome} ({time.monotonic() - begun:.0f} s, Python {platform.python_version()})", flush=True)
        failed += len(outcome.failures)
        if wanted.add:
            outcome = published(name) + outcome
        if wanted.add or not wanted.count:
            publish({name: row(name, outcome)})
            publish_measured(name, outcome)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
