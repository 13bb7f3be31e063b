"""A table without hardware: hands that play, and the chips, daemons and microcontrollers that they touch.

Imported by: processes and verbs.
"""
