"""The subject of a commit: `area: imperative`, one short line. A hook of git: python -m tools.subject FILE."""

import re
import sys
from pathlib import Path

LONGEST = 71
"""Fewer than 72 characters, as CONTRIBUTING says."""
MADE_BY_GIT = ("Merge ", "Revert ", "fixup! ", "squash! ")


def complaints(message: str) -> list[str]:
    """What is wrong with the first lines of a message, in words."""
    subject, _, rest = message.partition("\n")
    if subject.startswith(MADE_BY_GIT):
        return []
    found = []
    if not subject.strip():
        found.append("a commit begins with a subject")
    if len(subject) > LONGEST:
        found.append(f"the subject has {len(subject)} characters, {LONGEST} are enough")
    if subject.strip() and not re.match(r"[a-z0-9][a-z0-9 _/.-]*: \S", subject):
        found.append("a subject names its area: `pn532: accept late ACKs`")
    if subject.endswith("."):
        found.append("no full stop after the subject")
    if rest.strip() and not rest.startswith("\n"):
        found.append("an empty line comes after the subject")
    return found


def main(path: Path) -> int:
    lines = path.read_text(encoding="utf-8").splitlines()
    found = complaints("\n".join(line for line in lines if not line.startswith("#")))
    for complaint in found:
        print(complaint, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
