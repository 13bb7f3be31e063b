"""What processes say to each other: intentions and answers over the link, wishes at the reception, how a screen is to
look.

Who may enter: the rooms above it.
"""
