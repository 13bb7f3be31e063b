"""The game in progress: evening, match, undo, corrections, unlisted pieces, thinking time, snapshot. Pure: entries of
a journal in, answers out; no file, no clock, no process.

Imported by: journal, referee, processes and verbs.

Start at `session.py`: it judges what players want, and says why the rules run twice for each action. `evening.py` folds
the entries of a journal into an evening. No answer given here depends on a secret that is not the asker's own.
"""
