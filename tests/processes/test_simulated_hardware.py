"""Simulated hardware needs the drivers' libraries: where they are missing, it says how to get them."""

import subprocess
import sys
from pathlib import Path

BUILT = """
import sys
from pathlib import Path
sys.modules[sys.argv[1]] = None
from companion.errors import DeviceError
from companion.processes.simulated_hardware import bench
try:
    bench(sys.argv[2], "one", 3, Path(sys.argv[3]))
except DeviceError as error:
    sys.exit(str(error))
"""


def test_a_missing_library_is_named_with_the_command_that_installs_it(tmp_path: Path) -> None:
    words = (sys.executable, "-c", BUILT, "serial", "pn532", str(tmp_path))
    ended = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr.startswith("the library serial is not installed: install the hardware's libraries")
