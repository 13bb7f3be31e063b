"""Schematics for people: blocks from left to right on several sheets, drawn by hand and compared with the circuits."""
