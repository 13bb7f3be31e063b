"""Stores an evening: every accepted action is on the disk before its effect is shown.

Imported by: people, the referee, the doctor, processes and verbs.
"""
