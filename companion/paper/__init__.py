"""A box on paper: pages of pieces to cut out, with marks where to cut, or notches for fingers, as a PDF.

Imported by: verbs.
"""
