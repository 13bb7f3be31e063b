"""A box on paper: pages of pieces to cut out, with marks where to cut, as a PDF.

Imported by: verbs.
"""
