"""A tag on a real /dev/spidev and a press on a real /dev/gpiochip, and how long it takes until the panel shows them."""

import hashlib
import json
import statistics
import time
from collections.abc import Callable, Iterator

from companion.stations import CENTRE
from tools.virtual_pi.machine import USER, Start
from tools.virtual_pi.scenes.installing import INSTALLED
from tools.virtual_pi.stage import PATIENCE_S, Stage

PIECES = """\
import json
from companion.gamekit import discovery
from companion.home.boxes import find_box
from companion.table.pieces import simulated_pack
game = discovery.find("lascaux")
tags = simulated_pack(game, find_box(game, None).box).tags
print(json.dumps([[uid, piece.kind, piece.owner] for uid, piece in tags.items()]))
"""
TRIES, NOTICED_S = 6, 30.0
STILL_S = 1.0
"""A panel that has not changed for so long is at rest."""


def touch(stage: Stage) -> None:
    """A game with simulated neighbours; the person's cards, marker and button are touched, and the panel is read."""
    with stage.on(Start(kept=INSTALLED)) as guest:
        guest.must("companion config --kit one --force", USER)
        stage.reads("A referee for real tables", "Play Lascaux")
        guest.key("ret")
        stage.reads("Anna", "Ben", "Cleo")
        pieces = json.loads(guest.must(f"/opt/companion/bin/python -c '{PIECES}'", USER))
        taps_s = list(_drawn(stage, [uid for uid, kind, _ in pieces if kind == "card"]))
        stage.saw("A card's tag is laid on the reader, through spidev and mfrc522: “Anna draws …”.", "", "R5")
        marker = next(uid for uid, kind, owner in pieces if kind == "marker" and owner == 0)
        taps_s.append(_tap(stage, marker, "Anna has chosen"))
        stage.saw("Her marker: “Anna has chosen”.", stage.keep_picture("tapped"))
        stage.reads("All have chosen")
        press_s = _until_changed(stage, lambda: stage.bench.press(CENTRE, "green"))
        stage.reads("Anna lays a stone")
        stage.saw("The green button, through gpiod: “Anna lays a stone”.", stage.keep_picture("pressed"), "B6")
        repaint_s = [_until_changed(stage, lambda: guest.key("f1")) for _ in range(2)]
        repaint_s += [_until_changed(stage, lambda: guest.key("esc"))]
        stage.saw(
            f"From a tag on the reader to a changed panel {statistics.median(taps_s):.2f} s (median of {len(taps_s)}), "
            f"from a press {press_s:.2f} s; from a key to Textual's own repaint {statistics.median(repaint_s):.2f} s. "
            "All of it emulated, and looked at by pictures that take their time themselves."
        )


def _drawn(stage: Stage, cards: list[str]) -> Iterator[float]:
    """Card after card, until the row is complete: how long each took to be shown."""
    for number, card in enumerate(cards, 1):
        yield _tap(stage, card, f"deck {len(cards) - number} ")
        assert "Anna draws" in stage.text(), stage.text()
        if "everybody chooses a marker" in stage.text():
            return
    raise AssertionError("the row is never complete")


def _tap(stage: Stage, uid: str, words: str) -> float:
    """As people do it: what was not noticed, because the reader was away, is lifted and laid again."""
    for _ in range(TRIES):
        took_s = _until_changed(stage, lambda: stage.bench.lay(CENTRE, uid))
        noticed = _is_read(stage, words)
        stage.bench.lift(CENTRE, uid)
        if noticed:
            return took_s
    raise AssertionError(f"“{words}” cannot be read on the panel, however often the tag is laid, but:\n{stage.text()}")


def _is_read(stage: Stage, words: str) -> bool:
    deadline = time.monotonic() + NOTICED_S
    while words not in stage.text():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.5)
    return True


def _until_changed(stage: Stage, act: Callable[[], object]) -> float:
    """From an act to the first picture that is another, on a panel that was at rest before."""
    before, since = _picture(stage), time.monotonic()
    deadline = since + PATIENCE_S
    while time.monotonic() - since < STILL_S:
        now = _picture(stage)
        if now != before:
            before, since = now, time.monotonic()
        if time.monotonic() > deadline:
            raise AssertionError("the panel never comes to rest")
    act()
    began_s = time.monotonic()
    while _picture(stage) == before:
        if time.monotonic() > deadline:
            raise AssertionError("nothing changes on the panel")
    return time.monotonic() - began_s


def _picture(stage: Stage) -> str:
    return hashlib.sha256(stage.guest.picture(stage.place / "seen.png").read_bytes()).hexdigest()
