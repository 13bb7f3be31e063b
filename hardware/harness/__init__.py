"""Every cable of both kits, with both ends, colours, lengths and bill: made by WireViz from the circuits' own wires."""
