"""Companion: a referee for real board-game tables."""

__version__ = "0.1.0"
