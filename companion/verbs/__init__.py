"""One file for each verb of the command line, named like the verb.

Imported by: `cli` alone.

Each has examples and two functions:

    EXAMPLES = ("companion play lascaux", …)         command lines for its --help, which tests parse
    def arguments(parser: ArgumentParser) -> None    adds the verb's arguments
    def run(said: Namespace) -> int                  runs the verb; returns the exit status

A hyphen in a verb is an underscore in its file. `arguments.py` holds what several verbs share, `parser.py` how a
command line is read.
"""

VERBS = {
    "play": "play an evening: a referee and a screen",
    "table": "the referee alone, without a screen (a service on the Pi)",
    "demo": "watch a simulated table play",
    "screen": "one more screen for a running referee",
    "phones": "show join codes for phones at a running table",
    "hall": "run a club night for many tables: rounds, seatings, results, standings",
    "faults": "tap pieces on simulated hardware (`--drivers`, `--firmware`), and make it fail",
    "resume": "resume an interrupted evening",
    "games": "list the evenings so far",
    "people": "list the people who play here, add and merge them, forget one",
    "stats": "statistics and ratings: who leads and why; import earlier plays",
    "replay": "page through a played game on the table screen, step by step",
    "export": "write a game as a transcript, or results as CSV, JSON, a web page or a link for BG Stats",
    "config": "write a table.toml: what is wired to this table",
    "doctor": "test every device in table.toml and say what is wrong and how to fix it",
    "enroll": "enter your own box: what is printed on each piece, and its tag",
    "print": "the pieces of a box as a PDF to cut out, with frames for the stickers",
    "tags": "the tags of a box: list, check, share and write them",
    "adjudicate": "judge a game from a transcript",
    "update": "say how this installation of Companion is updated",
    "new-game": "create the folder of a new game, playable at once",
    "try": "show the table of a game while you write it: again whenever you save a file",
    "check": "test whether an installed game keeps the contract of all games",
}
"""Every verb with its help, in this order. `companion --help` imports nothing else."""
