"""Tools for those who build Companion. Nothing here is needed to play."""
