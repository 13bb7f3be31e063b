"""What simulated readers have in common: tags, the field that they lie in, and what can go wrong with a reader."""
