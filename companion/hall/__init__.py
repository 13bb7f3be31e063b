"""Many tables: a club night with its rounds, seatings, results and standings.

Imported by: processes and verbs.

`seating.py`, `standings.py` and `hall_state.py` are pure: a hall is the fold of its log. `decisions.py` says what a
command adds to that log, or why it is refused. `hall_store.py` keeps the log in SQLite or PostgreSQL, `hall.py` folds
it, and `hall_server.py` answers tables, phones and the director. `hall_client.py` and `outbox.py` are the table's side.
"""
