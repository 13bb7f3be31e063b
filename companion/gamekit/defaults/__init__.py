"""What the kit makes for a game that does not bring it: a first playable game is its rules alone."""
