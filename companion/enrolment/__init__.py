"""How an owner enrols a box: enter what is printed on each piece, then tap its tag. Pure: no files, no readers, no
screen.

Imported by: home and the packages above it.

A course is a log of the owner's steps. The current position, the tag on each piece and, at the end, the box and the
pack follow from it. Undo removes the newest entry.
"""
