"""Drivers: bytes and volts become signals, effects become light and sound. They know nothing of games.

Who may enter: the referee, the doctor, the simulation, services and verbs.
"""
