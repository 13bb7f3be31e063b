"""Texts: their sentences, their facts and their translations.

Imported by: all packages above it.
"""
