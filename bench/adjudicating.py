"""Transcripts: how time and memory grow with their length, when every line is refused, up to the limit."""

import subprocess
import sys
import tempfile
from pathlib import Path

from bench.figures import WHOLE, Effort, Figure, median, medians, ratio
from companion.home.transcript_files import SIZE_LIMIT

ROUNDS = 1
PART = 16
"""The long transcript has so many times the lines of the short one."""
HEADER = '{"game":"lascaux","players":["Anna","Ben","Cleo"]}\n'
LINES = '{"do":"stone","seat":0}\n{"do":"choose","seat":1,"colour":"mauve"}\n'

MEASURED = """
import sys, time
from companion.cli import main
began = time.process_time()
main(["adjudicate", sys.argv[1], "--json"])
took = time.process_time() - began
print(took, open("/proc/self/status").read().partition("VmHWM:")[2].split()[0], file=sys.stderr)
"""


def figures(effort: Effort = WHOLE) -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        long = effort.of((SIZE_LIMIT - len(HEADER)) // len(LINES))
        short = max(1, long // PART)
        paths = [_written(Path(folder) / f"{lines}.jsonl", lines) for lines in (long, short)]
        each = [lambda path=path: _measured(path)[0] for path in paths]
        taken = medians(effort.of(ROUNDS), *each, warm_up=effort.warm_up)
        memory = [_measured(path)[1] for path in paths]
    megabytes = long * len(LINES) / 1_000_000
    return [
        Figure(
            f"adjudicating {PART} times the lines, time",
            ratio(taken, 0, 1) / PART,
            1.2,
            at_least=False,
            detail=f"{median(taken, 0):.1f} s for {megabytes:.1f} MB of refused lines, divided by {PART}",
        ),
        Figure(
            f"adjudicating {PART} times the lines, memory",
            memory[0] / memory[1],
            1.1,
            at_least=False,
            detail=f"{memory[0] / 1024:.0f} MiB for {megabytes:.1f} MB, {memory[1] / 1024:.0f} MiB for a part of it",
        ),
    ]


def _written(path: Path, lines: int) -> Path:
    path.write_text(HEADER + LINES * lines)
    return path


def _measured(path: Path) -> tuple[float, int]:
    """Processor time in seconds, and the most memory in KiB, of a process of its own."""
    ran = subprocess.run(
        [sys.executable, "-c", MEASURED, str(path)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True
    )
    took, most = ran.stderr.decode().split()
    return float(took), int(most)
