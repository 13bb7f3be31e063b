"""Starts processes and keeps them running: referee, screen, phone server, replay; and what they need to begin an
evening: its devices, its files, its settings.

Imported by: verbs.
"""
