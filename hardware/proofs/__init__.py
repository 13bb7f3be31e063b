"""Electrical proofs: each takes the values out of the netlists, goes through the corners with ngspice, and says how
much is left to the limit of a data sheet. `python -m hardware.proofs` shows them all.

What is modelled is said beside each model. No board has been measured yet: docs/acceptance.md has what to measure.
"""
