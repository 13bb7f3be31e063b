"""What can be wrong with a device, in the reader's language. Devices say it in fixed English words of their own."""

from companion.games.game import Translate
from companion.table.signals import SEVERAL


def in_words(problem: str, _: Translate) -> str:
    """A problem that nobody knows, perhaps that of another system, stays as it is."""
    known = {
        # A reader on the Pi's bus
        "the driver cannot be loaded": _("the driver cannot be loaded"),
        "the bus cannot be opened": _("the bus cannot be opened"),
        "the bus fails": _("the bus fails"),
        "the chip answers 0x00": _("the chip answers 0x00"),
        "the chip answers 0xFF": _("the chip answers 0xFF"),
        "the chip answers nonsense": _("the chip answers nonsense"),
        "the chip does not keep its settings": _("the chip does not keep its settings"),
        "the chip has lost its settings": _("the chip has lost its settings"),
        "the chip does not finish": _("the chip does not finish"),
        "the reader does not answer": _("the reader does not answer"),
        # The Pi's pins
        "the library pigpio is not installed": _("the library pigpio is not installed"),
        "pigpiod does not run": _("pigpiod does not run"),
        "pigpiod does not answer": _("pigpiod does not answer"),
        "pigpiod refuses a pin": _("pigpiod refuses a pin"),
        "the libraries gpiozero and lgpio are not installed": _("the libraries gpiozero and lgpio are not installed"),
        "this computer has no GPIO pins": _("this computer has no GPIO pins"),
        "another program uses a pin": _("another program uses a pin"),
        "a pin cannot be used": _("a pin cannot be used"),
        "lgpio cannot write in the working folder": _("lgpio cannot write in the working folder"),
        "the green button is stuck": _("the green button is stuck"),
        "the red button is stuck": _("the red button is stuck"),
        # A satellite
        "unplugged": _("unplugged"),
        "no permission": _("no permission"),
        "in use by another program": _("in use by another program"),
        "not a serial line": _("not a serial line"),
        "cannot be opened": _("cannot be opened"),
        "does not answer": _("does not answer"),
        "firmware too old": _("firmware too old"),
        "firmware too new": _("firmware too new"),
        "another satellite": _("another satellite"),
        "no such pad": _("no such pad"),
        "no reader": _("no reader"),
        "no chip answers": _("no chip answers"),
        "the chip hangs": _("the chip hangs"),
        "the chip answers wrongly": _("the chip answers wrongly"),
        # Whatever it is
        "its driver failed": _("its driver failed"),
    }
    return SEVERAL.join(known.get(each, each) for each in problem.split(SEVERAL))
