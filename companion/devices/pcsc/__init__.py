"""Readers that the daemon pcscd looks after, such as the ACR122U.

`settings.py`: their keys in table.toml, and everything else that Companion asks of a kind of reader. `driver.py`: asks
pcscd. `check.py`: for the doctor. `simulated_reader.py` behind `simulated_daemon.py`: tags behind the real pcscd.
"""
