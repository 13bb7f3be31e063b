"""What the rules of Whist say, in English."""

SENTENCES = {
    "deals now": "{seat} shuffles, deals all cards and turns up the last one",
    "is trump": "{seat} turns up {card}: {suit} are trumps",
    "trump is known": "A card was turned up already: {suit} are trumps",
    "no trump yet": "No card has been turned up yet. {seat} deals and shows the last card",
    "out of turn": "It is {seat}'s turn",
    "no such card": "There is no card {card} in this pack",
    "played already": "{card} has been played in this deal",
    "belongs to the dealer": "{card} was turned up, so {seat} holds it",
    "a revoke": "{seat} did not follow {suit} earlier: a revoke. Undo back to that trick",
    "a player revoked": "If {card} can be played now, a player revoked earlier. Undo back to that trick",
    "plays": "{seat} plays {card}",
    "takes the trick": "{seat} takes the trick with {card}: trick {tricks} for this side",
    "scores": "{seats} made {tricks} tricks and score {points:point|points}",
    "no odd trick": "Both sides made {tricks} tricks, so neither scores",
    "deals next": "{seat} deals next",
    "win the game": "{seats} have {points:point|points} and win the game",
    "deal": "Deal {number}: {seats} made {tricks} tricks",
}
