"""The memory of a table: every accepted action is stored before anybody sees its effect.

Imported by: the referee, the doctor, processes and verbs.
"""
