"""The Textual app: it draws snapshots and sends intentions. It decides nothing.

Imported by: processes and verbs.
"""
