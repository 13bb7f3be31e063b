"""The owner's files: where they are, boxes, packs of tags, progress, looks.

Imported by: journal and config, and the packages above them; never a screen.
"""
