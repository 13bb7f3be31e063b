"""What hands do at any table: signals from devices, tags and pieces, where tags are, and what a signal means. Pure.

Imported by: the packages above it; a screen imports only signals and effects.
"""
