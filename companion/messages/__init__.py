"""What processes send each other: intentions and answers over the link, what can be started, how a screen should
look.

Imported by: the packages above it.

What a screen or a phone may ask of the referee is declared in `intentions.py`, with its senders.
"""
