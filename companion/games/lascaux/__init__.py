"""Lascaux: bid for animal cards with stones, and choose your colour in secret."""

MANIFEST = {
    "name": "lascaux",
    "about": "Bid for cave art, and choose your colour in secret.",
    "picture": "mammoth",
    "api": 1,
    "order": 1,
    "rules": "companion.games.lascaux.rules:GAME",
    "face": "companion.games.lascaux.screen.face:FACE",
    "players": "companion.games.lascaux.simulated:Players",
    "judgement": "companion.games.lascaux.judgement:LascauxJudgement",
    "enrolment": "companion.games.lascaux.enrolment:PLAN",
    "paper": "companion.games.lascaux.paper:paper",
    "words": "companion.games.lascaux.sentences:SENTENCES",
    "locale": "companion.games.lascaux",
    "figures": "companion.games.lascaux",
}
