"""How strong people are: openskill's Plackett–Luce model, for each game and for all games together.

Ratings are computed from the first game on whenever they are needed. None is stored, so an undo, a correction or a
removed evening leaves no trace in them.
"""

from collections.abc import Iterable

from msgspec import Struct
from openskill.models import PlackettLuce, PlackettLuceRating

from companion.gamekit.ending import sides
from companion.people.persons import Person
from companion.people.statistics import CountedGame

SETTLED_GAMES = 20
"""Until then a rating is shown as a band: its order still changes a lot."""
BAND = 2.0
"""A band reaches so many standard deviations up and down: 19 of 20 true values lie in it."""


class Rating(Struct, frozen=True):
    person: Person
    games: int
    mu: float
    sigma: float

    @property
    def is_settled(self) -> bool:
        return self.games >= SETTLED_GAMES

    @property
    def band(self) -> tuple[float, float]:
        return self.mu - BAND * self.sigma, self.mu + BAND * self.sigma

    def __str__(self) -> str:
        """27.3, or 12–38 as long as few games were played."""
        low, high = self.band
        return f"{self.mu:.1f}" if self.is_settled else f"{max(low, 0):.0f}–{high:.0f}"


class RatingChange(Struct, frozen=True):
    """What one game changed for one person, and why."""

    person: Person
    game: CountedGame
    before: float
    after: float
    rank: int
    chance: float
    """How likely a victory was before the game."""

    @property
    def sides(self) -> int:
        """How many players or teams there were."""
        return len(sides(self.game.past.teams, len(self.game.people)))

    @property
    def reason(self) -> str:
        """1st of 3, chance to win 33 %: +2.4"""
        every = sides(self.game.past.teams, len(self.game.people))
        tied = sum(self.game.past.seats[side[0]].rank == self.rank for side in every) > 1
        place = f"{'tied for ' if tied else ''}{ordinal(self.rank)} of {len(every)}"
        return f"{place}, chance to win {100 * self.chance:.0f} %: {self.after - self.before:+.1f}"


class Ratings(Struct, frozen=True):
    table: tuple[Rating, ...]
    """The strongest first, by the lower end of their band."""
    changes: tuple[RatingChange, ...]
    """Oldest first."""


def ratings(games: Iterable[CountedGame]) -> Ratings:
    """Of these finished games, oldest first. A team is as strong as its players together, and each of them learns from
    its rank. A game that one person or one team played alone changes nothing."""
    model = PlackettLuce()
    known: dict[str, PlackettLuceRating] = {}
    people: dict[str, Person] = {}
    played: dict[str, int] = {}
    changes: list[RatingChange] = []
    for game in games:
        every = sides(game.past.teams, len(game.people))
        if len(every) < 2:
            continue
        before = [[known.get(game.people[seat].id) or model.rating() for seat in side] for side in every]
        chances = model.predict_win(before)
        after = model.rate(before, ranks=[float(game.past.seats[side[0]].rank) for side in every])
        for side, was, now, chance in zip(every, before, after, chances, strict=True):
            for seat, old, new in zip(side, was, now, strict=True):
                person = game.people[seat]
                known[person.id], people[person.id] = new, person
                played[person.id] = played.get(person.id, 0) + 1
                changes.append(RatingChange(person, game, old.mu, new.mu, game.past.seats[seat].rank, chance))
    table = [Rating(people[id_], played[id_], each.mu, each.sigma) for id_, each in known.items()]
    table.sort(key=lambda each: (-each.band[0], each.person.name))
    return Ratings(tuple(table), tuple(changes))


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th"""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
