"""The files of the page, and the figures of the games: all from installed packages, none from outside."""

import base64
import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from companion.files import load
from companion.gamekit.discovery import names
from companion.gamekit.figure import figures_of
from companion.gamekit.screen.themes import THEMES
from companion.language.facts import Translate
from companion.language.screen_language import LANGUAGES, _, language_name, speaking

# --- What the page says by itself, around the table: everything else comes from the faces.


def words(_: Translate) -> dict[str, str]:
    return {
        "connecting": _("Connecting to the table …"),
        "lost": _("Connection lost. Reconnecting …"),
        "back again": _("Connected again."),
        "waiting": _("Waiting for the referee …"),
        "sending": _("Sending: {what}"),
        "unsure": _("The game moved on while this phone was offline. Check whether your answer counted."),
        "scan": _("Scan your code on the table's screen."),
        "removed": _("This code is no longer valid. Scan the one on the table's screen."),
        "foreign": _("The wall needs the code for watching. The table's screen shows it (F4)."),
        "type": _("Type the whole address from the table's screen (F4), with the code behind the #."),
        "next": _("Go on"),
        "skip": _("Skip"),
        "busy": _("Too many phones are connected. Trying again …"),
        "your turn": _("Your turn"),
        "watching": _("You are watching"),
        "you are": _("You are {name}"),
        "hand": _("Only for you"),
        "hide": _("Hide"),
        "show": _("Show"),
        "table": _("The table"),
        "happened": _("What happened, and why"),
        "results": _("Results"),
        "result code": _("This result on your phone"),
        "all": _("All lines"),
        "back": _("Back"),
        "close": _("Close"),
        "cancel": _("Cancel"),
        "yes": _("Yes"),
        "help": _("Help"),
        "theme": _("Colours"),
        "put back": _("Put these pieces back"),
        "choices": _("What you can do"),
        "pieces": _("Pieces with stickers"),
        "read pieces": _("Read pieces"),
        "be centre": _("This phone is the centre"),
        "only tell": _("Only say what it is"),
        **listening_words(_),
    }


def enrolment_words(_: Translate) -> dict[str, str]:
    """The page of a phone that enrols a box."""
    said = words(_) | reading_words(_)
    shared = ("theme", "lost", "connecting", "busy", "voice", "no voice", "choices", "touch again", *nfc_words(_))
    return {name: said[name] for name in shared} | {
        "enrol": _("Enrol a box"),
        "cards": _("Player cards"),
        "next piece": _("Next piece"),
        "more": _("More", "settings"),
        "scan": _("Scan the code on the screen of the table."),
        "removed": _("This code is no longer valid. Scan the one on the screen of the table."),
        "start": _("Start reading"),
        "stop reading": _("Stop reading"),
        "reading": _("Hold the sticker of this piece to the back of the phone."),
        "on screen": _("First enter this on the screen of `companion enroll`, or press Next if it is right."),
        "not reading": _("This phone no longer reads stickers."),
        "printed": _("Does the piece look like this? Change what is different on the screen."),
        "later": _("Later"),
        "undo": _("Undo"),
        "write": _("Write on stickers, too"),
        "why write": _("The text is a secret number: only your table knows what it stands for. iPhones need it."),
        "writing": _("Hold the sticker still. It is being written."),
        "written": _("Written. Lift the sticker, and touch it once more: then the text is checked."),
        "write failed": _("Writing failed. Lift the sticker, touch it again, and hold it still."),
        "write denied": _(
            "Chrome may not write on stickers. Tap the sign before the address, allow NFC, then try again."
        ),
        "unwritable": _(
            "This sticker cannot be written: it is locked, too small, or not an NTAG. It works by its number."
        ),
        "iphone": _("An iPhone cannot read tags here. Use an Android phone with Chrome."),
        "all done": _("All enrolled. You can put the phone away."),
    }


def nfc_words(_: Translate) -> dict[str, str]:
    """What is missing for Web NFC, and what to do."""
    return {
        "unreadable": _("This sticker cannot be read. Hold it still, or use an NTAG sticker."),
        "no https": _("Reading needs an encrypted connection. Start the table with --tls, and scan your code again."),
        "no web nfc": _("This browser cannot read stickers. Open this page in Chrome."),
        "no nfc": _("This device cannot read stickers. Use an Android phone with NFC, or the buttons."),
        "nfc off": _("NFC is off. Switch it on in the phone's settings, then try again."),
        "nfc denied": _("Chrome may not use NFC. Tap the sign before the address, allow NFC, then try again."),
        "nfc failed": _("NFC does not answer. Close other apps that read stickers, then try again."),
        "in app": _("An app shows this page. Open it in Chrome, or scan your code with the camera."),
    }


def reading_words(_: Translate) -> dict[str, str]:
    """Reading pieces: these words are loaded when it is asked for."""
    return {
        "stop reading": _("Stop reading"),
        "reading": _("Hold a piece to the back of this phone."),
        "not reading": _("This phone no longer reads pieces."),
        "touch again": _("No connection. Touch the piece again when it is back."),
        "iphone": _("Hold the top of the iPhone to a piece and tap the banner. The stickers need links."),
        **nfc_words(_),
    }


def listening_words(_: Translate) -> dict[str, str]:
    """What the page says to players who listen."""
    return {
        "listen": _("Play by ear"),
        "in words": _("Table in words"),
        "say table": _("Table (t)"),
        "say hand": _("My hand (h)"),
        "say can": _("What can I do (c)"),
        "say why": _("Why (w)"),
        "say again": _("Again (a)"),
        "say skip": _("Next sentence (s)"),
        "voice": _("Voice"),
        "voice on": _("The voice is on."),
        "no voice": _("This browser has no voice. Use a screen reader."),
        "nothing to say": _("There is nothing."),
        "headphones": _("Do you wear headphones?\nThe voice says aloud what only you may know."),
        "swipe": _("Swipe here. Up: table. Down: my hand. Right: what can I do. Left: why. Tap: again."),
    }


KINDS = {"html": "text/html", "js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}
PAGES = {"index.html": "/", "wall.html": "/wall"}
LINKED = "/t"
"""What a link on a sticker opens: the same page, which finds the sticker's token behind the #."""
STYLE = '<link rel="stylesheet" href="/page.css">'
FILE_BYTES = 256 * 1024
UNLISTED = ("/trust.html", "/moved.html")
"""Served in place of other pages, and under no address of their own."""


class File(Struct, frozen=True):
    kind: str
    body: bytes


class Site(Struct, frozen=True):
    files: Mapping[str, File]
    """Every file by its path."""
    style_hash: str
    """The hash of the page's inline style, for its policy: with it the first paint waits for nothing."""
    trust: str
    """The page that explains the certificate, for the address TABLE. It is served without encryption."""
    moved: str
    """The page for a link on a sticker that was written for another address than TABLE."""


def site() -> Site:
    """The pages of a table."""
    found = _files(words)
    found["/reading.json"] = File("application/json", _words(reading_words))
    for name in ("/enrol.html", "/enrol.css", "/enrol.js"):
        found.pop(name)
    found[LINKED] = found["/"]
    return _site(found)


def enrolment_site() -> Site:
    """The page of a phone that enrols a box, and what it loads."""
    found = _files(enrolment_words)
    found["/"] = found.pop("/enrol.html")
    kept = ("/", "/enrol.css", "/enrol.js", "/nfc.js", "/drawing.js", "/link.js", "/icon.svg", "/words.json", *UNLISTED)
    return _site({path: file for path, file in found.items() if path in kept})


def _files(said: Callable[[Translate], dict[str, str]]) -> dict[str, File]:
    """Every file of the page, with these words; a page has the style in it."""
    found: dict[str, File] = {"/words.json": File("application/json", _words(said))}
    for each in sorted(Path(__file__).with_name("page").iterdir()):
        ending = each.suffix.removeprefix(".")
        if ending in KINDS:
            found[PAGES.get(each.name, f"/{each.name}")] = File(KINDS[ending], load(each, FILE_BYTES))
    style = _style(found.pop("/page.css"))
    for path in (*PAGES.values(), "/enrol.html"):
        page = found[path].body.decode().replace(STYLE, f"<style>{style}</style>")
        found[path] = File(KINDS["html"], page.encode())
    return found


def _site(files: dict[str, File]) -> Site:
    trust, moved = (files.pop(name).body.decode() for name in UNLISTED)
    style = files["/"].body.decode().partition("<style>")[2].partition("</style>")[0]
    return Site(files, inline_hash(style), trust, moved)


def _style(file: File) -> str:
    return f"\n{theme_css()}\n{file.body.decode()}"


def inline_hash(style: str) -> str:
    """The hash by which a policy knows an inline style."""
    return base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()


# --- The figures of the games -----------------------------------------------------------------------------------

FIGURE_ROUTE = "/figures/{game}/{name}.svg"


def figure_path(game: str, name: str) -> str:
    """Where the page finds a figure that a game names; "" if there is no such file."""
    return FIGURE_ROUTE.format(game=game, name=name) if name in figures_of(game) else ""


def figure_file(game: str, name: str) -> File | None:
    """One of the files that a game has, as it is; None for any other name. Raises FigureError for a file with more in
    it than figures may have: a page puts what it gets into itself."""
    if game not in names() or name not in (known := figures_of(game)):
        return None
    assert known[name]
    return File(KINDS["svg"], known.svg(name))


# --- The colours of the themes ----------------------------------------------------------------------------------


def theme_css() -> str:
    """The colours of the screen's themes as CSS variables, chosen by the phone's preference or by its user."""
    dark, light, contrast = (_variables(name) for name in ("dark", "light", "contrast"))
    return "\n".join(
        [
            f":root {{ {dark} color-scheme: dark; }}",
            f"@media (prefers-color-scheme: light) {{ :root {{ {light} color-scheme: light; }} }}",
            f"@media (prefers-contrast: more) {{ :root {{ {contrast} color-scheme: dark; }} }}",
            f":root[data-theme=dark] {{ {dark} color-scheme: dark; }}",
            f":root[data-theme=light] {{ {light} color-scheme: light; }}",
            f":root[data-theme=contrast] {{ {contrast} color-scheme: dark; }}",
        ]
    )


def _variables(name: str) -> str:
    colours = THEMES[name].to_color_system().generate()
    return " ".join(f"--{variable}: {colours[variable]};" for variable in VARIABLES if variable in colours)


VARIABLES = (
    "background", "surface", "panel", "foreground", "primary", "secondary", "accent", "warning", "error", "success",
    "primary-muted", "text-primary", "text-success", "text-warning", "text-error", "text-accent", "quiet",
    "button-color-foreground",
)  # fmt: skip
"""The colours of a theme that faces and the page use."""


def _words(said: Callable[[Translate], dict[str, str]]) -> bytes:
    """The page's own texts, in every language."""
    found = {}
    for code in LANGUAGES:
        with speaking(code):
            found[code] = {"language": language_name(code), **said(_)}
    return msgspec.json.encode(found)
