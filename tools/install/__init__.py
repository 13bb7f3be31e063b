"""`make install`: a table that begins by itself, on a Raspberry Pi or any other Debian, with Python's library alone.

Every step says what it is about to do, and does only what is not done yet: so to install again is to update. Nothing is
overwritten without a copy beside it. `--dry-run` only says it; `make uninstall` takes it back, but for the evenings.
"""
