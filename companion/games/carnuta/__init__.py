"""Carnuta: brew with ingredients, and pay with runes of sun and moon."""

MANIFEST = {
    "name": "carnuta",
    "about": "Brew potions, and pay with runes of sun and moon.",
    "picture": "mushroom",
    "api": 1,
    "order": 4,
    "rules": "companion.games.carnuta.rules:GAME",
    "face": "companion.games.carnuta.screen.face:FACE",
    "players": "companion.games.carnuta.simulated:Players",
    "judgement": "companion.games.carnuta.judgement:CarnutaJudgement",
    "enrolment": "companion.games.carnuta.enrolment:PLAN",
    "paper": "companion.games.carnuta.paper:paper",
    "words": "companion.games.carnuta.sentences:SENTENCES",
    "locale": "companion.games.carnuta",
    "figures": "companion.games.carnuta",
}
