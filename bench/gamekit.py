"""What authors of games wait for: the import of a game, and the contract."""

import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from bench.figures import WHOLE, Effort, Figure, median, medians, ratio

ROUNDS = 9
GOPS = Path(__file__).parents[1] / "examples" / "gops"
IMPORT = "import time; t = time.process_time(); import {}; print(time.process_time() - t)"


def figures(effort: Effort = WHOLE) -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        info = Path(folder) / "companion_gops-1.0.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: companion-gops\nVersion: 1.0.0\n")
        (info / "entry_points.txt").write_text("[companion.games]\ngops = gops:MANIFEST\n")
        env = os.environ | {"PYTHONPATH": f"{GOPS}{os.pathsep}{folder}", "COMPANION_HOME": folder}
        each = [partial(_imported, module, env) for module in ("gops.rules", "asyncio")]
        taken = medians(effort.of(ROUNDS), *each, warm_up=effort.warm_up)
        contract = _contract(env)
    return [
        Figure(
            "importing a game ÷ importing asyncio",
            ratio(taken, 0, 1),
            1.6,
            at_least=False,
            detail=f"{median(taken, 0) * 1000:.0f} ms for the rules of GOPS, with the kit",
        ),
        Figure(
            "the contract of GOPS ÷ 10 s",
            contract / 10,
            1.0,
            at_least=False,
            detail=f"{contract:.1f} s of processor time",
        ),
    ]


def _imported(module: str, env: dict[str, str]) -> float:
    """Processor time in seconds, in a process of its own."""
    words = [sys.executable, "-c", IMPORT.format(module)]
    return float(subprocess.run(words, env=env, capture_output=True, text=True, check=True).stdout)


def _contract(env: dict[str, str]) -> float:
    """Processor time in seconds, with the games of simulated players that it starts."""
    before = os.times()
    subprocess.run([sys.executable, "-m", "companion", "check", "gops"], env=env, capture_output=True, check=True)
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system
