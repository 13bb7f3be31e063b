"""The memory of a table: every accepted action is stored before anybody sees its effect.

Who may enter: the referee, the doctor, services and verbs.
"""
