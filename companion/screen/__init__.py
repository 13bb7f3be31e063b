"""The Textual app: it draws snapshots and posts what people want, and decides nothing.

Who may enter: services and verbs.
"""
