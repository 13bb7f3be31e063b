"""Sir Tommy, the oldest patience, for two to four players who win or lose together."""

MANIFEST = {
    "name": "sirtommy",
    "title": "Sir Tommy",
    "api": 1,
    "rules": "sirtommy.rules:GAME",
    "words": "sirtommy.sentences:SENTENCES",
    "face": "sirtommy.face:FACE",
    "judgement": "sirtommy.judgement:SirTommyJudgement",
    "locale": "sirtommy",
}
