"""What verbs have in common: evenings, the keeper of a referee, the devices of a table, receptions. It wires the house
together.

Who may enter: verbs.
"""
