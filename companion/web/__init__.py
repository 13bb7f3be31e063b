"""The phones' server: it draws the games for browsers, describes them in words, and lets each phone see and do only
what its seat may. A television shows what spectators may see (`/wall`).

Imported by: processes and verbs.
"""
