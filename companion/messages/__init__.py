"""What processes say to each other: intentions and answers over the link, what can be begun, how a screen is to
look.

Imported by: the packages above it.
"""
