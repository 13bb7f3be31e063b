"""`make install`: a table that starts by itself, on a Raspberry Pi or any other Debian, with Python's standard library
alone.

Every step says what it is about to do, and does only what is not done yet, so installing again is an update. Nothing is
overwritten without a copy beside it. `--dry-run` only lists the steps; `make uninstall` undoes them, but keeps the
evenings.
"""
