"""The games that ship: strangers' games may be installed beside them, and have tests of their own."""

from companion.gamekit.discovery import OWN, found

GAMES = tuple(name for name in found().manifests if found().packages[name] == OWN)
