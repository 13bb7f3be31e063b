"""Where the sources on the PN532 disagree or are silent: each question, every reading of it, and the source.

    chip = Pn532Chip(reading=Pn532Reading(late_us=90_000, busy="queues"))

The chip model implements all of them, and the driver has to pass in all of them: `each_reading` has each answer to each
question at least once, `any_reading` answers every question by chance. UM is NXP's user manual UM0701-02,
AN its application note AN10609_3, DS the data sheet PN532/C1; a name with a number is an issue on GitHub.
"""

from collections.abc import Iterator
from random import Random
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, get_args, get_type_hints

from msgspec import Struct
from msgspec.structs import replace

ByChance: TypeAlias = Literal[-1]
"""In place of a time: any up to the longest of its kind, another one each time."""


class Source(NamedTuple):
    """Who says so, or who should say so and does not."""

    words: str


class Pn532Reading(Struct, frozen=True):
    """One answer to each question. The first one listed is the plainest."""

    field_byte: Annotated[
        Literal["external field", "own field, too"],
        Source("GetGeneralStatus: ACS manuals of ACR122T and AET62, nfcpy, Wireshark; UM 7.2.3 leaves one's own open"),
    ] = "external field"
    targets_counted: Annotated[
        bool, Source("GetGeneralStatus, NbTg: UM 7.2.3 does not say when a listed target no longer counts")
    ] = True
    late_us: Annotated[
        Literal[200, 15_000, 50_000, 90_000, 100_000] | ByChance,
        Source("ACK: UM 6.2.3 has 15 ms at most; users report 50 to 90 ms; FTDI AN232B-04 adds 16 ms on USB"),
    ] = 200
    starts: Annotated[
        Literal["at once", "after its ACK"], Source("UM 6.2.2 shows the ACK first, and no moment for the start")
    ] = "at once"
    activation_us: Annotated[
        Literal[0, 60_000, 150_000] | ByChance,
        Source("InListPassiveTarget, a tag lies there: over 100 ms in Adafruit_CircuitPython_PN532#50; UM is silent"),
    ] = 0
    activation: Annotated[
        Literal["in one try", "in many tries"], Source("UM 7.3.1 counts tries, and does not say how long one lasts")
    ] = "in one try"
    try_us: Annotated[
        Literal[3_000, 1_000, 15_000], Source("MxRtyPassiveActivation: UM 7.3.1 does not say how long a try lasts")
    ] = 3_000
    busy: Annotated[
        Literal["obeys", "queues", "ignores"],
        Source("a command during another one: UM p. 38 ends the older (Adafruit-PN532#85); libnfc#167 got no ACK"),
    ] = "obeys"
    abort: Annotated[
        Literal["any time", "once begun"], Source("ACK from the host: UM 6.2.1.3 speaks of what is being processed")
    ] = "any time"
    deaf_after_abort_us: Annotated[
        Literal[0, 20_000], Source("libnfc#167: the command after an abort got no ACK; nfcpy waits 10 ms")
    ] = 0
    deaf_after_answer_us: Annotated[
        Literal[0, 1_000], Source("nfcpy#257: commands less than 1 ms after an answer got no ACK; UM is silent")
    ] = 0
    sleeps: Annotated[
        bool, Source("after a reset: AN, version C106 begins asleep, in low battery mode, which C104 does not have")
    ] = True
    wake_us: Annotated[Literal[1_000, 0, 2_000], Source("DS: T_osc_start, up to 2 ms")] = 1_000
    low_battery: Annotated[
        Literal["refuses", "obeys", "is silent"],
        Source("commands before SAMConfiguration: AN wants it first; neither AN nor UM 7.2.10 says what happens else"),
    ] = "refuses"
    sam_switches_off: Annotated[
        bool, Source("SAMConfiguration again in normal mode: UM 7.2.10 is silent on field and targets")
    ] = False
    field_after_search: Annotated[
        Literal["on", "off"], Source("a search without success: UM 7.3.5 does not say whether the field stays")
    ] = "on"
    dtr: Annotated[
        Literal["nothing", "resets once", "resets always"],
        Source("boards differ in what DTR is wired to; HUPCL cleared keeps it up on most converters (tty_ioctl(4))"),
    ] = "nothing"
    start_us: Annotated[
        Literal[0, 100_000, 500_000],
        Source("until it hears after a reset: DS has only T_osc_start; boards may add an RC circuit, not measured"),
    ] = 0


LONGEST_US = {"late_us": 100_000, "activation_us": 150_000}
SHORTEST_US = {"late_us": 200, "activation_us": 5_000}
"""Of a time by chance. Source: as of the question itself."""


def questions() -> dict[str, tuple[tuple[Any, ...], str]]:
    """The name of each question, its readings, and its source ("" if it names none)."""
    hints = get_type_hints(Pn532Reading, include_extras=True)
    return {name: (tuple(_choices(hint)), "".join(_sources(hint))) for name, hint in hints.items()}


def each_reading() -> Iterator[Pn532Reading]:
    """The plainest one; some that together give every answer there is to every question; and some of the worst."""
    plain = Pn532Reading()
    yield plain
    asked = [(name, choices) for name, (choices, _) in questions().items()]
    for row in range(max(len(choices) for _, choices in asked)):
        yield Pn532Reading(
            **{name: choices[(row + place) % len(choices)] for place, (name, choices) in enumerate(asked)}
        )
    slow = replace(plain, activation="in many tries", try_us=1_000, field_after_search="off")
    yield from (replace(slow, activation_us=each) for each in (150_000, -1))
    yield replace(slow, activation_us=150_000, try_us=15_000, late_us=100_000, starts="after its ACK", busy="queues")
    yield replace(plain, late_us=90_000, starts="after its ACK", abort="once begun", deaf_after_abort_us=20_000)
    yield replace(plain, dtr="resets always", start_us=500_000, low_battery="is silent", wake_us=2_000)


def any_reading(chance: Random) -> Pn532Reading:
    return Pn532Reading(**{name: chance.choice(choices) for name, (choices, _) in questions().items()})


def told(reading: Pn532Reading) -> str:
    """What is special about it."""
    plain = Pn532Reading()
    names = (name for name in questions() if getattr(reading, name) != getattr(plain, name))
    return ", ".join(f"{name}={getattr(reading, name)}" for name in names) or "plain"


def _choices(hint: Any) -> Iterator[Any]:
    """Of an annotated literal, a union of them, or a bool."""
    if hint is bool:
        yield from (False, True)
    elif isinstance(hint, str | int):
        yield hint
    else:
        for part in get_args(hint):
            if not isinstance(part, Source):
                yield from _choices(part)


def _sources(hint: Any) -> Iterator[str]:
    yield from (part.words for part in get_args(hint) if isinstance(part, Source))
