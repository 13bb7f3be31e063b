"""What the page says by itself, around the table: everything else comes from the faces."""

from companion.language.facts import Translate


def words(_: Translate) -> dict[str, str]:
    return {
        "connecting": _("Connecting to the table …"),
        "lost": _("Connection lost. Reconnecting …"),
        "waiting": _("Waiting for the referee …"),
        "sending": _("Sending: {what}"),
        "unsure": _("The game moved on while this phone was offline. Check whether your answer counted."),
        "scan": _("Scan your code on the table's screen."),
        "dead": _("This code is no longer valid. Scan the one on the table's screen."),
        "busy": _("Too many phones are connected. Trying again …"),
        "your turn": _("Your turn"),
        "watching": _("You are watching"),
        "you are": _("You are {name}"),
        "hand": _("Only for you"),
        "hide": _("Hide"),
        "show": _("Show"),
        "table": _("The table"),
        "happened": _("What happened, and why"),
        "all": _("All lines"),
        "back": _("Back"),
        "close": _("Close"),
        "cancel": _("Cancel"),
        "yes": _("Yes"),
        "help": _("Help"),
        "theme": _("Colours"),
        "put back": _("Put these pieces back"),
        "choices": _("What you can do"),
    }
