"""One folder for each device: driver, settings, doctor check and simulated part. Bytes and volts become signals,
effects become light and sound. Devices know nothing of games.

Imported by: config, referee, doctor, simulation, processes and verbs.
"""
