"""How owners go through their box, say what is printed on each piece, and tap its tag. Pure: no files, no readers, no
screen.

Imported by: home and the packages above it.

A course is a log of what was done. Where owners stand, which tag sits on what and, at last, the box and the pack follow
from it; undo takes the newest entry off.
"""
