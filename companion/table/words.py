"""What is said to a signal that no game has to judge, in English. The facts are named in braces."""

SENTENCES = {
    "unknown tag": "Nobody knows the tag {uid}: nothing has changed",
    "lies there already": "This piece lies there already: to mean it anew, lift it and lay it down again",
    "pressed already": "The button was pressed a moment ago: that counts once",
    "unknown button": "{station} has a button that is neither green nor red: nothing has changed",
    "lifted": "A piece was lifted: nothing has changed",
    "empty pad": "Nobody sits at {station}: nothing has changed",
    "no readers": "This table is played on the screen: nothing has changed",
    "answer first": "A question is open: green, or an own piece tapped on the centre, agrees, red declines",
    "reader fault": "The reader at {station} does not answer ({problem}): what lies there counts as before",
    "link up": "{station} is connected",
    "link down": "{station} is not connected ({problem}): what lies there counts as before",
}
