"""`make drivers`: what it would install."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_make_drivers_installs_libraries_and_pcscd_but_no_browser() -> None:
    said = subprocess.run(["make", "-n", "-B", "drivers"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "pcscd" in said
    assert "mfrc522" in said
    assert "'.[pi]'" in said
    for unwanted in ("chromium", "playwright", "npm", "avr", "ngspice", "[test]", "[check]"):
        assert unwanted not in said
