"""What simulated readers have in common: tags, the field they are in, hands at it, and what can go wrong."""
