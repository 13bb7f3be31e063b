"""Sioux: the highest card hunts, equal cards swap, and three winters are survived."""

MANIFEST = {
    "name": "sioux",
    "about": "The highest card hunts. Survive three winters.",
    "picture": "bison",
    "api": 1,
    "order": 2,
    "rules": "companion.games.sioux.rules:GAME",
    "face": "companion.games.sioux.screen.face:FACE",
    "players": "companion.games.sioux.simulated:Players",
    "judgement": "companion.games.sioux.judgement:SiouxJudgement",
    "enrolment": "companion.games.sioux.enrolment:PLAN",
    "paper": "companion.games.sioux.paper:paper",
    "words": "companion.games.sioux.sentences:SENTENCES",
    "locale": "companion.games.sioux",
    "figures": "companion.games.sioux",
}
