"""The checks of `companion doctor`: every device of table.toml, the computer, the games and the owner's files. It
repairs nothing.

Imported by: processes and verbs.
"""
