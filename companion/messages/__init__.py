"""What processes send each other: what screens and phones ask of the referee (`intentions.py`) and its answers
(`protocol.py`), and what a screen learns from the process that started it.

Imported by: the packages above it.
"""
