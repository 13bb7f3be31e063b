"""The phones' server: it draws the games for browsers, and lets each phone see and do only what its seat may.

Imported by: processes and verbs.
"""
