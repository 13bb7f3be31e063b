"""Storage of evenings: one SQLite file each (`store.py`) with a ledger while it is played (`ledger.py`), their folder
(`evening_folder.py`), and what is still sound in a damaged one (`soundness.py`).

Imported by: referee, processes, doctor and verbs. What the entries mean is in `companion.session`.
"""
