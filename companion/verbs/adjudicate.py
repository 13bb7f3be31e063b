"""`companion adjudicate FILE`: judges a transcript and prints the verdict."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from pathlib import Path

from companion.referee.adjudication import adjudicate, verdict_json, verdict_text


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="the transcript (JSON Lines)")
    parser.add_argument("--json", action="store_true", help="print the verdict as one JSON object")


def run(said: Namespace) -> int:
    """0: every action was accepted; 1: some were refused. Raises TranscriptError, with exit status 2."""
    verdict = adjudicate(said.file)
    _write(verdict_json(verdict) if said.json else verdict_text(verdict))
    return int(bool(verdict.refusals))


def _write(parts: Iterable[str]) -> None:
    """Write to stdout. If that takes only ASCII, other letters become question marks."""
    encoding = sys.stdout.encoding or "utf-8"
    for part in parts:
        sys.stdout.write(part.encode(encoding, "replace").decode(encoding))
