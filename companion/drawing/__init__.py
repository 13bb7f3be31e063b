"""What every screen draws around a game, on a terminal and on a phone: lines of the evening, reasons, results, layouts.

Imported by: screen and web.
"""
