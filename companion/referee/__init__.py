"""One table's referee: its process (`event_loop.py`), its link to the screens (`link.py`), and the referee itself,
which lets the session judge and writes the journal (`referee.py`).

Imported by: processes and verbs.
"""
