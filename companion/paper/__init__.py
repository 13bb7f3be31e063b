"""A box on paper: pages of pieces to cut out, with marks where to cut, as a PDF.

Who may enter: verbs.
"""
