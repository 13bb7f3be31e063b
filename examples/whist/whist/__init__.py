"""Whist: four players, two against two, a trump suit, and several deals up to an agreed score."""

MANIFEST = {
    "name": "whist",
    "title": "Whist",
    "api": 1,
    "rules": "whist.rules:GAME",
    "words": "whist.sentences:SENTENCES",
    "face": "whist.face:FACE",
    "judgement": "whist.judgement:WhistJudgement",
    "locale": "whist",
}
