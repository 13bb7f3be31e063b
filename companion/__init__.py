"""Companion: a referee for real board-game tables."""

__version__ = "1.0.0"
