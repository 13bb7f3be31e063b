"""`companion enroll`: enters the owner's box, piece by piece, on the screen and with a reader or a phone."""

import sys
from argparse import SUPPRESS, ArgumentParser, Namespace

from companion.config import find_table
from companion.enrolment.course import Course, standing
from companion.errors import LinkError, UsageError
from companion.gamekit import discovery
from companion.gamekit.parts import enrolment_plan
from companion.home.box_files import find_box
from companion.home.crash_log import keep_values_out
from companion.home.enrolment_progress import was_printed
from companion.home.paths import home
from companion.processes.enrolment_store import FileEnrolmentStore, alone, set_aside
from companion.processes.phone_server import EnrolmentPhoneServer, PhoneSettings, link_address, wifi
from companion.processes.table_devices import equipment
from companion.processes.tag_taps import refuse_while_playing
from companion.toml import read_toml
from companion.verbs.arguments import add_phone_place, add_screen, game_name, screen_settings

EXAMPLES = ("companion enroll lascaux", "companion enroll lascaux --phone")


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("game", type=game_name, help="which game")
    parser.add_argument("--start-over", action="store_true", help="set aside what was enrolled so far")
    parser.add_argument("--anew", dest="start_over", action="store_true", help=SUPPRESS)  # as it was called before
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument(
        "--printed",
        action="store_true",
        default=None,
        help="the pieces came out of `companion print`: ask only for their tags (default: if the box in use was "
        "printed here last)",
    )
    kind.add_argument(
        "--original",
        dest="printed",
        action="store_false",
        default=None,
        help="the pieces came out of a shop: ask what is printed on them, too",
    )
    parser.add_argument("--phone", action="store_true", help="read the stickers with an Android phone: show its code")
    parser.add_argument("--links", action="store_true", help="a phone that writes also writes a link for iPhones")
    add_phone_place(parser)
    add_screen(parser)


def run(said: Namespace) -> int:
    """Raises UsageError, EnrolmentError, BoxError, PackError, ConfigError, DeviceError, LinkError."""
    game = discovery.find(said.game)
    box = find_box(game)
    if not enrolment_plan(game.name).steps(read_toml(box.text), {}):
        raise UsageError(f"there is nothing to enrol: no piece of {game.name} can carry a tag")
    wired = find_table(home())
    refuse_while_playing(wired)
    if not sys.stdin.isatty() or not sys.stdout.isatty():
        raise LinkError("enrolling needs a terminal: there is something to look at and to choose")
    with alone(said.game):
        if said.start_over:
            set_aside(said.game)
        printed = was_printed(game.name, box.text) if said.printed is None else said.printed
        settings = PhoneSettings(said.address, said.port, tls=True)
        phones = EnrolmentPhoneServer(said.game, settings, wifi())
        store = FileEnrolmentStore(
            game,
            equipment(wired) if wired.readers or wired.satellite else (),
            printed=printed,
            phones=phones,
            links=link_address(settings) if said.links else "",
        )
        _check_kind(store.course, said.printed)
        from companion.screen.enrolment.enrolment_app import run as show

        keep_values_out()
        try:
            show(store, phone_first=said.phone, **screen_settings(said).arguments())
        finally:
            phones.stop()
    print(_told(store))
    return 0


def _check_kind(course: Course, said: bool | None) -> None:
    """An enrolment that was started as printed, or not, stays so. Raises UsageError."""
    if said is not None and course.printed != said:
        begun = "a printed box" if course.printed else "a box from a shop"
        raise UsageError(f"{begun} is already being enrolled; --start-over sets that aside and starts over")


def _told(store: FileEnrolmentStore) -> str:
    """How far it has got, in a sentence or two."""
    now, name = standing(store.course), store.course.game
    if now.next is not None:
        done = len(now.steps) - len(now.waiting)
        return f"{done} of {len(now.steps)} steps are done. `companion enroll {name}` goes on where you were."
    return f"The box of {name} is enrolled. `companion tags check {name}` looks for missing, doubled and weak tags."
