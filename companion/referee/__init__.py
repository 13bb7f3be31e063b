"""The referee of one table: it takes one signal or intention at a time, asks the rules, writes the journal and answers.

Imported by: processes and verbs.

`event_loop.py` is its process, `link.py` its link to the screens, `referee.py` lets the session judge and writes the
journal.
"""
