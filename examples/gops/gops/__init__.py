"""GOPS, the game of pure strategy: a simultaneous secret bid for each prize, for two or three players."""

MANIFEST = {
    "name": "gops",
    "title": "GOPS",
    "about": "A secret bid for each prize: every card can be bid once.",
    "api": 1,
    "rules": "gops.rules:GAME",
    "words": "gops.sentences:SENTENCES",
    "face": "gops.face:FACE",
    "players": "gops.players:Players",
    "locale": "gops",
    "figures": "gops",
}
