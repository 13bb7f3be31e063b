"""One file for each verb of the command line, named like the verb.

Who may enter: `cli` alone.

Each has two functions:

    def arguments(parser: ArgumentParser) -> None    what can be said behind the verb
    def run(said: Namespace) -> int                  what it does; the exit status

A hyphen in a verb is an underscore in its file.
"""

VERBS = {
    "play": "play an evening: a referee and a screen",
    "table": "the referee alone, without a screen (a service on the Pi)",
    "demo": "watch a simulated table play",
    "screen": "one more screen for a running referee",
    "phones": "let phones come to a running table, and show their codes",
    "faults": "let the hardware of `companion demo --drivers` or `--firmware` fail",
    "resume": "go on with an evening that was interrupted",
    "games": "list the evenings so far",
    "replay": "go through a game that was played, step by step, on the table screen",
    "export": "write a game as a transcript; what is still secret is left out",
    "config": "write a table.toml: what is wired to this table",
    "doctor": "try every device of table.toml, and say what is wrong and what to do",
    "enroll": "go through your own box: what is printed on each piece, and its tag",
    "print": "the pieces of a box as a PDF to cut out, with frames for the stickers",
    "tags": "the tags of a box: list, check, share and write them",
    "adjudicate": "judge a game that is written down as a transcript",
    "new-game": "write the folder of a new game that plays at once",
}
"""Every verb in the order of the help, and what is said there: nothing has to be imported for that."""
