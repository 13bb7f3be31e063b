"""A tag on a real /dev/spidev and a press on a real /dev/gpiochip, and how long it takes until the panel shows them."""

import json
import statistics
import time
from collections.abc import Callable
from functools import partial

from companion.stations import CENTRE
from tools.virtual_pi.machine import USER, Start
from tools.virtual_pi.scenes.installing import INSTALLED, PYTHON
from tools.virtual_pi.stage import BLINK_S, Stage

PIECES = """\
import json
from companion.gamekit import discovery
from companion.home.box_files import find_box
from companion.table.pieces import simulated_pack
game = discovery.find("lascaux")
tags = simulated_pack(game, find_box(game, None).box).tags
print(json.dumps([[uid, piece.kind, piece.id, piece.owner] for uid, piece in tags.items()]))
"""
TRIES = 6
NOTICED_S = 60.0
"""By our clock."""
LIFTED_S = 0.5
"""By the guest's clock: after this long a tag that is not seen any more has been lifted."""


def touch(stage: Stage) -> None:
    """A game with simulated neighbours; the person's marker and button are touched, and the panel is read."""
    with stage.on(Start(kept=INSTALLED)) as guest:
        guest.must("companion config --kit one --force", USER)
        pieces = json.loads(guest.must(f"{PYTHON} -c '{PIECES}'", USER))
        stage.reads("A referee for real tables", "Play Lascaux")
        guest.key("n")
        stage.reads("Devices: one reader", "Begin")
        guest.key("b")
        stage.reads("Setting up")
        guest.key("x")
        stage.reads("Choose a marker in secret: Anna\n")
        marker = next(uid for uid, kind, _, owner in pieces if kind == "marker" and owner == 0)
        tap_s = _tap(stage, marker, "Anna has chosen")
        stage.reads("Anna: lay a stone or pass")
        stage.saw(
            "Her marker's tag on the reader, through spidev and mfrc522: “Anna has chosen”.",
            stage.keep_picture("tapped"),
        )
        repaint_s = [_until_changed(stage, partial(guest.key, key)) for key in ("f1", "esc") * 2]
        press_s = _until_changed(stage, lambda: stage.bench.press(CENTRE, "green"))
        stage.reads("Anna lays a stone")
        words = "The green button, through gpiod: “Anna lays a stone”."
        stage.saw(words, stage.keep_picture("pressed"), "B6")
        stage.saw(
            f"From a tag on the reader to a changed panel {tap_s:.2f} s, from a press {press_s:.2f} s; from a key to "
            f"Textual's own repaint {statistics.median(repaint_s):.2f} s (median of {len(repaint_s)}). All of it by "
            f"the guest's clock, which is {guest.slower} times slower than ours."
        )


def _tap(stage: Stage, uid: str, words: str) -> float:
    """As people do it: what was not noticed, because the reader was away, is lifted and laid again."""
    for _ in range(TRIES):
        try:
            took_s = _until_changed(stage, lambda: stage.bench.lay(CENTRE, uid))
            stage.reads(words, within_s=NOTICED_S)
            return took_s
        except AssertionError:
            continue
        finally:
            stage.bench.lift(CENTRE, uid)
            stage.guest.must(f"sleep {LIFTED_S}")
    raise AssertionError(f"“{words}” cannot be read on the panel, however often the tag is laid, but:\n{stage.text()}")


def _until_changed(stage: Stage, act: Callable[[], object]) -> float:
    """From an act to the first picture that is another, on a panel that was at rest before. By the guest's clock."""
    before = stage.at_rest()
    act()
    began_s = time.monotonic()
    while stage.looks() == before:
        if time.monotonic() - began_s > NOTICED_S:
            raise AssertionError("nothing changes on the panel")
        time.sleep(BLINK_S)
    return (time.monotonic() - began_s) / stage.guest.slower
