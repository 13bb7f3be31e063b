"""From the fresh system to the start screen: `make install`, as docs/build-it.md has it, and a start by itself."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.virtual_pi.machine import USER, Guest, Start
from tools.virtual_pi.stage import PATIENCE_S, Stage, has_kept

FRESH, INSTALLED, FULL = "fresh", "installed", "full"
"""What is kept: a system that has started for the first time, one whose start screen can be seen, and one with the full
kit in which nothing holds the pins and readers yet."""
CHECKOUT = f"/home/{USER}/companion"
PYTHON = "/opt/companion/bin/python"
HANDS = f"{PYTHON} {CHECKOUT}/tools/virtual_pi/carried/hands.py"
"""As of the last install or update."""
BY_ITSELF = f"systemd-run -q --collect --unit=hands --uid={USER} -E HOME=/home/{USER} -E XDG_RUNTIME_DIR=/run/user/1000"
RULES = "/etc/udev/rules.d"
HEADLINE = ("A referee for real tables", "Play Lascaux against Ben and Cleo", "New game", "Carnuta")
"""The last one is a card: then the screen has looked which games there are."""


def is_done(image: Path) -> bool:
    """Whether the guest's disk has been through it: then an update is enough."""
    return has_kept(image / "disk.qcow2", INSTALLED)


def install(stage: Stage) -> None:
    """A fresh system, `make install`, and the service shows the start screen."""
    with _fresh(stage) as guest:
        _checked_out(guest)
        planned = guest.must("cd ~/companion && make install ARGS=--dry-run", USER)
        assert "Raspberry Pi 5 Model B Rev 1.0, Debian GNU/Linux 13" in planned, planned
        assert guest.run("test -e /opt/companion").status, "a dry run did something"
        _make_install(stage)
        stage.reads(*HEADLINE)
        stage.at_rest()
        stage.saw("The service shows the start screen on the panel.", stage.keep_picture("start"))
        _keep(guest)


def update(stage: Stage) -> None:
    """`make install` again, from today's checkout: it says what is done already, and the owner's table stays."""
    with stage.on(Start(kept=INSTALLED)) as guest:
        mine = guest.must("cd ~/.local/share/companion && echo '# mine' >>table.toml && cat table.toml", USER)
        _checked_out(guest)
        said = guest.must("cd ~/companion && make install", USER, within_s=PATIENCE_S)
        for done in ("SPI on", "groups spi", "table.toml"):
            assert any(line.startswith("  ok ") and done in line for line in said.splitlines()), said
        assert guest.must("cat ~/.local/share/companion/table.toml", USER) == mine
        guest.must(f"cd ~/companion/hardware/pi && set -e; for rule in *.rules; do cmp $rule {RULES}/$rule; done", USER)
        stage.reads(*HEADLINE)
        stage.saw("`make install` again is an update: nothing is done twice, `table.toml` stays as its owner left it.")
        _keep(guest)


def _keep(guest: Guest) -> None:
    """For all other scenes to begin with."""
    guest.must("sync")
    guest.keep(INSTALLED)
    guest.must("companion config --kit full --force", USER)
    guest.must(f"loginctl enable-linger {USER}; systemctl stop companion@{USER}; sync")
    guest.keep(FULL)


def _checked_out(guest: Guest) -> None:
    guest.must(
        "umount /card; blockdev --flushbufs /dev/vdb; mount /card && "
        f"rm -rf {CHECKOUT} && mkdir {CHECKOUT} && tar -xf /card/companion.tar -C {CHECKOUT} --no-same-owner && "
        f"chown -R {USER}: {CHECKOUT}"
    )


@contextmanager
def _fresh(stage: Stage) -> Iterator[Guest]:
    """A system that has just started for the first time, which is kept: it is always the same."""
    if not stage.has(FRESH):
        with stage.on() as guest:
            guest.must("systemctl is-system-running --wait; umount /card; sync")
            guest.keep(FRESH)
    with stage.on(Start(kept=FRESH)) as guest:
        yield guest


def _make_install(stage: Stage) -> None:
    """On the console, where a user would sit. Nothing is compiled: there is no compiler."""
    guest = stage.guest
    guest.must("! command -v gcc && chvt 1 && printf '\\033c' >/dev/tty1")
    shown = "{ echo '$ make install'; make install; echo \\$? >/tmp/status; } 2>&1 | tee /tmp/install.log"
    guest.must(
        f"systemd-run -q --unit=install --uid={USER} -E HOME=/home/{USER} --working-directory={CHECKOUT}"
        f' -p StandardInput=null sh -c "{shown} | sudo tee /dev/tty1"'
    )
    guest.awaits("test -e /opt/companion/libexec/kiosk || test -e /tmp/status", within_s=PATIENCE_S)
    stage.picture()
    picture = stage.keep_picture("install")
    guest.awaits("test -e /tmp/status", within_s=PATIENCE_S)
    said = guest.must("cat /tmp/install.log")
    assert guest.must("cat /tmp/status").strip() == "0", said[-3000:]
    table = guest.must("cat ~/.local/share/companion/table.toml", USER)
    assert "[[reader]]" in table, table
    stage.saw(
        "`make install` on a fresh Debian 13: says what it does, switches SPI on, finds the reader, compiles nothing "
        "(there was no compiler).",
        picture,
        "T6",
    )
