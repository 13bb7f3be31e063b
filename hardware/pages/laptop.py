"""A laptop and one reader."""

from companion.devices.finding import SIGNS
from companion.gamekit import discovery
from companion.gamekit.paper import STICKER
from hardware.pages import estimates, prices
from hardware.pages.pieces import HEAD, table
from hardware.pages.sources import GAMES, stickers
from hardware.proofs.models import SHORT_OHMS


def sticker_rows() -> str:
    return table(("game", "stickers"), [(discovery.title(game), stickers(game)) for game in GAMES])


def shopping() -> str:
    return table(
        ("number", "part", "what to know"),
        [
            (1, "PN532 board with USB, or an ACR122U", "a PN532 sees several tags at a time, an ACR122U one"),
            (
                "see below",
                f"NTAG213 stickers, round, {STICKER:g} mm",
                f"other sizes work; the printed frames are for {STICKER:g} mm",
            ),
            (1, "the game, or paper", "`companion print GAME` draws one ([tags.md](../../docs/tags.md#a-printed-box))"),
        ],
    )


def page() -> str:
    return f"""{HEAD}# A laptop and one reader: {estimates.about(estimates.laptop())}, nothing is soldered

**This has not been tried with a real reader yet**: the drivers run against simulated ones. Please fill in
[docs/acceptance.md](../../docs/acceptance.md). The time is a guess.

Price: {prices.LAPTOP} for the reader and {prices.STICKERS} for stickers, estimated in {prices.DATED} from what usual shops ask.

## Shopping list

{shopping()}

{sticker_rows()}

## Steps

1. If the header of your PN532 board is loose, and you solder it: ohms first, {SHORT_OHMS} Ω or more between VCC and GND, before you plug it in.
   Set the switches of a PN532 to HSU (UART); most boards print which way that is. An ACR122U has none.
2. `make usb`, then `.venv/bin/companion play`. Plug the reader in: the start screen asks whether to play with it. Press `p`.
3. Ask the doctor: `.venv/bin/companion doctor`. Each line that begins with `{SIGNS["problem"]}` says what to do
   ([the usual reasons](../../docs/build-it.md#a-laptop-and-one-reader-ten-minutes)).
4. Put the stickers on, `companion enroll GAME`, `companion tags check GAME`.
5. Play.
"""
