"""The game in progress: evening, match, undo, corrections, unlisted pieces, thinking time, snapshot. Pure: entries of
a journal in, answers out; no file, no clock, no process.

Imported by: journal, referee, processes and verbs.

An evening is the fold of its entries, so live play takes an entry exactly as resuming does. No answer given here
depends on a secret that is not the asker's own.
"""
