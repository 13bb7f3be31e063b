"""What every screen draws around a game, on a terminal and on a phone: lines of the evening, reasons, results, shows,
layouts.

Imported by: screen and web.
"""
