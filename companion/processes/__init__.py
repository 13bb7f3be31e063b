"""Starts processes and keeps them running: referee, screen, phone server, bots, replay; and what they need to begin an
evening: its devices, its files, its settings.

Imported by: verbs.

`companion play` shows a screen in its own process (`screen_process`) and starts `companion table` as a second one:
`referee_supervisor` starts and restarts it, `referee_process` is what runs there.
"""
