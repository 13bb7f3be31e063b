"""The owner's files: where they lie, boxes, packs of tags, progress, looks.

Who may enter: journal and config, and the rooms above them; never a screen.
"""
