"""What can be wrong with a device that hangs on a line, in the fixed words that screens translate.

Devices put one of these into `LinkDown.problem` or `ReaderFault.problem`, and nothing else.
"""

from companion.devices.wire import FAULTS

UNPLUGGED = "unplugged"
NO_ANSWER = "does not answer"
TOO_OLD = "firmware too old"
TOO_NEW = "firmware too new"
ANOTHER = "another satellite"
NO_PERMISSION = "no permission"
IN_USE = "in use by another program"
NO_SERIAL_LINE = "not a serial line"
NO_PAD = "no such pad"
STUCK = "a button is stuck"

OF_THE_LINE = (UNPLUGGED, NO_PERMISSION, IN_USE, NO_SERIAL_LINE)
"""What is wrong before anybody has been asked."""
OF_THE_SATELLITE = (NO_ANSWER, TOO_OLD, TOO_NEW, ANOTHER, NO_PAD)
OF_A_PAD = (*FAULTS.values(), STUCK)

PROBLEMS = (*OF_THE_LINE, *OF_THE_SATELLITE, *OF_A_PAD)
