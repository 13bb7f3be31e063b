"""The four games that ship. Each is a folder that imports `companion.gamekit`, and nothing else of ours.

Imported by: none: games are found by their entry points.
"""
