MANIFEST = {
    "name": "whist",
    "title": "Whist",
    "api": 1,
    "rules": "whist.rules:GAME",
    "words": "whist.sentences:SENTENCES",
    "judgement": "whist.judgement:WhistJudgement",
}
