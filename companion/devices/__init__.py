"""Devices turn bytes and volts into signals, and effects into light and sound. They know nothing of games."""
