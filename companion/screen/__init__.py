"""The Textual app: it draws snapshots and posts what people want, and decides nothing.

Imported by: processes and verbs.
"""
