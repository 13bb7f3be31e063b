"""Darwinci: bid for bone tiles with stones of all colours, and build creatures."""

MANIFEST = {
    "name": "darwinci",
    "about": "Bid for bones with stones, and build creatures.",
    "picture": "shell",
    "api": 1,
    "order": 3,
    "rules": "companion.games.darwinci.rules:GAME",
    "face": "companion.games.darwinci.screen.face:FACE",
    "players": "companion.games.darwinci.simulated:Players",
    "judgement": "companion.games.darwinci.judgement:DarwinciJudgement",
    "enrolment": "companion.games.darwinci.enrolment:PLAN",
    "paper": "companion.games.darwinci.paper:paper",
    "words": "companion.games.darwinci.sentences:SENTENCES",
    "locale": "companion.games.darwinci",
    "figures": "companion.games.darwinci",
}
