"""Enrolling: an owner goes through his box, says what is printed on each piece, and taps its tag. Pure: no files, no
readers, no screen.

A course is a log of what was done. Where the owner stands, which tag sits on what and, at last, the box and the pack
follow from it; undo takes the newest entry off.
"""
