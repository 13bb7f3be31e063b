"""Boxes to print: pad, satellite and centre, as OpenSCAD source whose measures come from `hardware.dimensions`."""
