"""Texts of the dialogs that screens and phones share: questions to all players, the set-up, where pieces go, what bots
thought."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from textual.content import Content

from companion.drawing.table_frame import headline
from companion.gamekit.game import Place
from companion.gamekit.screen.face import Action, Face, Sight
from companion.gamekit.sign_table import LEFT, RIGHT, TURN
from companion.gamekit.snapshot import (
    Considered,
    Errand,
    Lying,
    Preparation,
    Puzzle,
    Question,
    SetTable,
    Solution,
    Thought,
    Thoughts,
    Told,
)
from companion.language.screen_language import _, listed
from companion.language.wording import plain

# --- Which pieces are where -----------------------------------------------------------------------------------


def place_lines(layout: Sequence[Lying], sight: Sight) -> list[str]:
    """One line for each place: the pieces that should be there."""
    lines = []
    for place, some in groupby(layout, key=lambda lying: lying.place):
        things = ", ".join(things_words(lying, sight) for lying in some)
        lines.append(_("– {place}: {things}", place=sight.face.place(place, sight), things=things))
    return lines


def pages(layout: Sequence[Lying]) -> list[list[Lying]]:
    """The shared places first, then one page for each seat. Places keep their order."""
    order = list(dict.fromkeys(lying.place for lying in layout))

    def rank(lying: Lying) -> tuple[int, int]:
        return _seat(lying.place), order.index(lying.place)

    return [list(some) for _seat_of, some in groupby(sorted(layout, key=rank), key=lambda lying: _seat(lying.place))]


def _seat(place: Place) -> int:
    return -1 if place.seat is None else place.seat


def things_words(lying: Lying, sight: Sight) -> str:
    """Cards and tiles without a name are only counted."""
    if not lying.thing.id and lying.thing.owner is None:
        if lying.thing.kind == "card":
            return _("{count:card|cards}", count=lying.count)
        if lying.thing.kind == "tile":
            return _("{count:tile|tiles}", count=lying.count)
    return sight.face.thing(lying.thing, lying.count, sight)


# --- Answers and questions ------------------------------------------------------------------------------------


def newest(sight: Sight) -> str:
    """The action that an undo would take back."""
    return sight.say(sight.snapshot.newest) if sight.snapshot.newest else ""


def answer(sight: Sight, told: Told, now: bool) -> str:
    """The referee's answer with its ruling and, if there is room (`now`), what to do next."""
    sentence = sight.say(told)
    said = _("{sentence} ({rule})", sentence=sentence, rule=plain(told.rule)) if told.rule else sentence
    todo = headline(sight).sentence if now and not sight.over else ""
    return f"{said}\n{TURN} {todo}" if todo else said


def question_words(sight: Sight, question: Question, how: str) -> str:
    """The question, `how` to agree, who has agreed, and which pieces would go back."""
    asked = [sight.face.asked(question.kind, sight)]
    if question.kind == "undo":
        asked = [newest(sight), _("Undo this? It already revealed a secret.")]
    elif question.kind == "correct":
        asked = [_("Correct this entry? It already revealed a secret.")]
    agreed = listed([sight.name(seat) for seat in question.agreed])
    missing = listed([sight.name(seat) for seat in question.missing])
    lines = [*asked, how, _("Waiting for: {names}", names=missing)]
    if question.agreed:
        lines.append(_("Agreed: {names}", names=agreed))
    if question.moves:
        lines += [_("These pieces would go back:"), *(f"– {sight.put_back(move)}" for move in question.moves)]
    return "\n".join(line for line in lines if line)


# --- The set-up -----------------------------------------------------------------------------------------------


def preparation_title(shown: Preparation) -> str:
    return _("Setting up ({page}/{pages})", page=shown.page + 1, pages=shown.pages)


def preparation_words(sight: Sight, shown: Preparation) -> Content:
    if shown.page < len(shown.steps):
        step = shown.steps[shown.page]
        return Content.assemble((sight.say(step), "bold"), (f"  {plain(step.rule or '')}", "$quiet"))
    lying = [each for page in pages(shown.layout) for each in page]
    return Content("\n".join([_("The table should now look like this:"), *place_lines(lying, sight)]))


def set_table_words(sight: Sight, table: SetTable) -> Content:
    """All steps of the set-up, and what should be where now."""
    steps = [
        Content.assemble(f"{number}. {sight.say(step)}", (f"  {plain(step.rule or '')}", "$quiet"))
        for number, step in enumerate(table.steps, 1)
    ]
    lying = [each for page in pages(table.layout) for each in page]
    now = [Content.styled(_("The table now:"), "bold"), *map(Content, place_lines(lying, sight))] if lying else []
    return Content("\n").join([*steps, *([Content("")] if steps and now else []), *now])


def preparation_next(shown: Preparation) -> str:
    """The label of the button to the next page."""
    return _("Begin") if shown.page + 1 == shown.pages else _("Next", "page")


# --- What bots with real pieces want --------------------------------------------------------------------------


def errand_title(sight: Sight, errand: Errand) -> str:
    return _("For {name}", name=sight.name(errand.seat))


def errand_words(sight: Sight, errand: Errand) -> str:
    """What to do for a bot, and which pieces to move."""
    moved = [f"– {sight.put_back(move)}" for move in errand.moves]
    return "\n".join([f"{sight.say(errand.said)}.", *([_("Please move:"), *moved] if moved else [])])


# --- Puzzles --------------------------------------------------------------------------------------------------


def puzzle_words(sight: Sight, puzzle: Puzzle) -> str:
    """What is asked, before anything was tried."""
    name = sight.name(puzzle.seat)
    lines = [
        _("This position is from one of your own games. You are {name}: what do you do?", name=name),
        _("You know what {name} could know then. What you do changes nothing in that game.", name=name),
        _("{left} {right} go back to how it came to this, and return.", left=LEFT, right=RIGHT),
    ]
    return "\n\n".join(lines)


def solution_words(sight: Sight, puzzle: Puzzle, solution: Solution) -> str:
    """What was chosen now, what was done then, and what is best, each with its chance; and why."""
    chosen, done, best = solution.chosen, solution.done, solution.best
    name = sight.name(puzzle.seat)
    lines = [_("You: {what} (about {percent} %).", what=_done(sight, chosen), percent=_percent(chosen.worth))]
    if chosen.action == best.action:
        lines = [_("Found! {what} (about {percent} %).", what=_done(sight, best), percent=_percent(best.worth))]
    elif chosen.worth >= best.worth:
        lines.append(_("That is as good as what the analysis found."))
    else:
        words = _done(sight, best)
        lines.append(_("Better: {what} (about {percent} %).", what=words, percent=_percent(best.worth)))
    if chosen.action == done.action:
        lines[0] += " " + _("{name} did the same.", name=name)
    else:
        words = _done(sight, done)
        lines.append(
            _("{name} did this: {what} (about {percent} %).", name=name, what=words, percent=_percent(done.worth))
        )
    lines += [line for line in (gains_words(sight.face, solution.gains), _ruling_of(sight, best)) if line]
    lines.append(_("The percentages say how often it leads to a victory, as far as {name} could know.", name=name))
    return "\n\n".join(lines)


def _ruling_of(sight: Sight, considered: Considered) -> str:
    """The ruling behind what an action does."""
    said = considered.said
    words = sight.face.ruling(said.rule) if said and said.rule else ""
    return f"{plain(said.rule or '')}: {words}" if said and words else ""


# --- What bots thought ----------------------------------------------------------------------------------------


def may_ask_why(sight: Sight, told: Told) -> bool:
    """Whether a bot may have done this: only the referee knows whose actions a line rests on."""
    return told.kind == "accepted" and told.entry > 0 and any(player.simulated for player in sight.snapshot.players)


def thought_words(sight: Sight, thoughts: Thoughts) -> list[str]:
    """Why bots did something, in paragraphs. Empty: no bot did it."""
    return [words for thought in thoughts.of for words in _thoughts(sight, thought)]


def _thoughts(sight: Sight, thought: Thought) -> Iterator[str]:
    name, done, other = sight.name(thought.seat), thought.done, thought.other_worth
    if done is None:
        yield _(
            "{name} still hides something that led to this. You can ask again when it is revealed, at the latest when "
            "the game is over.",
            name=name,
        )
        return
    yield f"{_done(sight, done)}."
    yield _("{name} saw a chance of about {percent} % in this.", name=name, percent=_percent(done.worth))
    if other is None:
        yield _("There was nothing else to do.")
        return
    best = thought.other
    if best is not None:
        yield _("The best alternative (about {percent} %): {what}.", what=_done(sight, best), percent=_percent(other))
    else:
        yield _("The best alternative promised about {percent} %.", percent=_percent(other))
    if _percent(other) > _percent(done.worth):
        yield _("{name} does not always do what looks best: that is how easy players can be beaten.", name=name)
    yield _("This is what {name} could know then. Later it may look different.", name=name)


def gains_words(face: Face, gains: Mapping[str, float]) -> str:
    """What one action brings more than another, by the kinds of points; "" if that is next to nothing."""
    of_words: dict[str, float] = {}
    for kind, points in gains.items():
        of_words[face.part(kind)] = of_words.get(face.part(kind), 0.0) + points
    most = sorted(of_words.items(), key=lambda each: -abs(each[1]))[:MOST_GAINS]
    told = [
        f"{words} {points:+.1f}".replace("-", "−").replace(".", _(".", "decimal point"))
        for words, points in most
        if abs(points) >= LEAST_GAIN
    ]
    return _("Difference in points, on average: {kinds}.", kinds=", ".join(told)) if told else ""


MOST_GAINS, LEAST_GAIN = 3, 0.3
"""How many kinds of points are told, and how many points are worth telling."""


def _percent(worth: float) -> int:
    return round(100 * worth)


def _done(sight: Sight, considered: Considered) -> str:
    """In the game's words: its sentence, or for a secret choice what its button says, and what was chosen."""
    return sight.say(considered.said) if considered.said else action_words(sight, considered.action)


def action_words(sight: Sight, action: Action) -> str:
    """An action as its button says it, and what was chosen."""
    labels = [command.label for command in sight.face.commands(sight) if command.is_for(action)]
    label = labels[0] if labels else plain(str(action["do"]))
    chosen = {name: value for name, value in action.items() if name not in ("do", "seat") and value is not None}
    values = [_value(sight, name, value) for name, value in chosen.items()]
    return plain(f"{label}: {', '.join(values)}" if values else label, LONGEST_ACTION)


LONGEST_ACTION = 200
"""Characters of an action in words."""


def _value(sight: Sight, name: str, value: Any) -> str:
    if isinstance(value, list | tuple):
        return listed([_value(sight, name, each) for each in value])
    if isinstance(value, dict):
        return " ".join(_value(sight, field, each) for field, each in value.items())
    if isinstance(value, int) and name.startswith("seat"):
        return sight.name(value)
    word = sight.face.word(sight.box, name, value, sight.face.texts.text)
    return str(value) if word is None else word
