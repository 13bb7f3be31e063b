"""What holds for the rules of every game: pure, frozen, legal or refused, nothing lost, and always an end."""

from collections import Counter

import msgspec
from msgspec.structs import replace

from companion.gamekit import discovery
from companion.gamekit.contract.failure import difference, shown
from companion.gamekit.contract.played_games import ACCEPTED, PIECES, PlayedByChance, encoded, soft_spots, told
from companion.gamekit.ending import best_total
from companion.gamekit.game import Refusal, Step, moves
from companion.gamekit.game_start import Header, begin, read_action, usual_names
from companion.gamekit.manifest import API
from companion.gamekit.transcript import parse_transcript

IMPURE, SOFT = "impure", "soft"
"""Keys: the game does not play the same twice; its states can be changed in place."""


class PlayingContract(PlayedByChance):
    """What everything else rests on: games can be played at all."""

    def test_the_game_is_found_by_its_entry_point(self) -> None:
        names = discovery.names()
        self.expect(self.name in names, f"the entry point of {self.name!r} is among the installed games", names)
        api = discovery.manifest(self.name).api
        self.expect(api == API, f"its manifest has api {API}, the version of this kit", api)
        self.expect(self.game.name == self.name, f"its Game has the name {self.name!r}", self.game.name)

    def test_every_action_is_a_frozen_struct_with_a_name_of_its_own(self) -> None:
        expected = 'an action is declared like `class Bid(Struct, frozen=True, tag_field="do", tag="bid")`'
        for action in self.game.actions:
            config = action.__struct_config__
            found = f"{action.__name__}: frozen={config.frozen}, tag_field={config.tag_field!r}"
            self.expect(config.frozen and config.tag_field == "do", expected, found)
        tags = [action.__struct_config__.tag for action in self.game.actions]
        self.expect(len(set(tags)) == len(tags), "each action has a tag of its own", tags)

    def test_chance_can_play_every_game_to_its_end(self) -> None:
        """The fewest players, the most, and all between; every value of every option."""
        for game in self.all_games():
            self.expect(game.moments, "`legal` lists an action after `setup`", "none")


class RulesContract(PlayedByChance):
    # --- Pure ---

    def test_the_same_actions_lead_to_the_same_table(self) -> None:
        """No clock, no chance, no files: all that happens comes in as actions."""
        for game in self.all_games():
            first, again = game.moments[0].before, self.game.setup(game.setup)
            if again != first:
                self.fail("`setup` gives the same state each time", difference(first, again), IMPURE)
            for moment in self._visited(game):
                step = self.game.apply(moment.before, moment.action)
                if step != moment.step:
                    expected = "`apply` gives the same Step for the same state and action, each time"
                    self.fail(expected, difference(moment.step, step), IMPURE)

    def test_states_are_frozen(self) -> None:
        expected = "a state is made of frozen structs, tuples, numbers and words"
        for game in self.all_games():
            soft = list(soft_spots(game.moments[0].before))
            self.expect(not soft, expected, ", ".join(soft), SOFT)
        for _, moment, _ in self.looked_at():
            soft = list(soft_spots(moment.step.state))
            self.expect(not soft, expected, ", ".join(soft), SOFT)

    def test_boxes_are_frozen_and_no_game_changes_them(self) -> None:
        """All games of a process share one."""
        for game in self.all_games():
            soft = list(soft_spots(game.setup.box, "box"))
            self.expect(not soft, "a box is made of frozen structs, tuples, numbers and words", ", ".join(soft))
            before = repr(game.setup.box)
            state = self.game.setup(game.setup)
            for moment in self._visited(game):
                self.game.apply(state, moment.action)
                state = moment.step.state
            self.game.scores(state)
            self.expect(repr(game.setup.box) == before, "no action changes the box", repr(game.setup.box))

    def test_replay_equals_live(self) -> None:
        """An action that is written down and read again means the same."""
        for _, moments in self.all_played():
            for moment in moments:
                action = read_action(self.game, msgspec.json.decode(msgspec.json.encode(moment.action)))
                if action != moment.action:
                    self.fail("an action that is written as JSON and read again is the same", shown(action))
                step = self.game.apply(moment.before, action)
                if step != moment.step:
                    expected = "an action that is read from a journal gives the same Step"
                    self.fail(expected, difference(moment.step, step), IMPURE)

    # --- Legal and illegal ---

    def test_every_legal_action_is_accepted(self) -> None:
        for _, moment, _ in self.looked_at():
            legal = self.game.legal(moment.before)
            twice = [shown(each) for each, count in Counter(map(encoded, legal)).items() if count > 1]
            self.expect(not twice, "`legal` lists each action once", twice)
            for action in legal:
                answer = self.game.apply(moment.before, action)
                if not isinstance(answer, Step):
                    found = f"before this action {shown(action)} is legal, and `apply` gives {shown(answer)}"
                    self.fail(ACCEPTED, found, ACCEPTED)

    def test_nothing_raises_and_a_refusal_changes_nothing(self) -> None:
        for _, moment, chance in self.looked_at():
            before = told(self.game, moment.before), self.game.legal(moment.before)
            for action in self.forms(moment.before, chance):
                with self.trying(action):
                    answer = self.game.apply(moment.before, action)
                    self.game.at_table(moment.before, action)
                if not isinstance(answer, Step | Refusal):
                    self.fail(f"`apply` gives a Step or a Refusal for {shown(action)}", shown(answer))
            after = told(self.game, moment.before), self.game.legal(moment.before)
            if after != before:
                self.fail("a refused action changes nothing", difference(before, after))

    def test_who_is_awaited_and_for_what_agrees_with_what_is_legal(self) -> None:
        for setup, moments in self.all_played():
            for moment in moments:
                legal, awaiting = self.game.legal(moment.before), self.game.awaiting(moment.before)
                if awaiting is None:
                    self.fail("`awaiting` names who may act as long as `legal` lists an action", "None")
                kinds = {action.__struct_config__.tag for action in legal}
                if set(awaiting.do) != kinds or len(set(awaiting.do)) != len(awaiting.do):
                    expected = f"`awaiting.do` names the kinds of action that `legal` lists, each once: {sorted(kinds)}"
                    self.fail(expected, shown(awaiting.do))
                seats = awaiting.seats
                if seats != tuple(sorted(set(seats))) or not set(seats) <= set(range(setup.players)):
                    self.fail("`awaiting.seats` are seats of this game, ascending", shown(seats))
                concerned = [self.concerned(moment.before, action) for action in legal]
                named = {seat for each in concerned if each is not None for seat in each}
                if not named <= set(seats) or (None not in concerned and named != set(seats)):
                    self.fail(f"`awaiting.seats` are the seats of the legal actions: {sorted(named)}", shown(seats))

    def test_all_that_is_legal_is_offered_or_one_of_its_kind(self) -> None:
        for _, moment, _ in self.looked_at():
            legal, offered = self.game.legal(moment.before), self.game.offered(moment.before)
            missing = {type(action).__name__ for action in legal} - {type(action).__name__ for action in offered}
            self.expect(not missing, "`offered` has at least one action of each kind that is legal", f"no {missing}")

    # --- The end ---

    def test_every_game_ends_with_points_for_everybody_and_a_winner(self) -> None:
        for setup, moments in self.all_played():
            *_, last = moments
            state, game = last.step.state, self.game
            self.expect(game.awaiting(state) is None, "after the end `awaiting` is None", game.awaiting(state))
            self.expect(not game.offered(state), "after the end nothing is offered", game.offered(state))
            scores, winners = game.scores(state), game.winners(state)
            seats = [score.seat for score in scores]
            self.expect(seats == list(range(setup.players)), "`scores` has every seat once, in order", seats)
            totals = [score.total for score in scores]
            best = best_total(totals, game.lowest_wins)
            expected = (
                f"`winners` are seats with the {'fewest' if game.lowest_wins else 'most'} points ({best}), ascending, "
                f"at least one; the totals are {totals}"
            )
            hint = "" if game.lowest_wins else "; if the fewest points win, say `lowest_wins=True`"
            kept = winners and list(winners) == sorted(seat for seat in winners if totals[seat] == best)
            self.expect(kept, expected, f"{winners}{hint}")

    def test_every_tally_counts_rulings_that_have_a_sentence_or_parts_of_the_score(self) -> None:
        for tally in self.game.tallies:
            expected = f"the tally {tally.label!r} names rulings or parts"
            self.expect(tally.rulings or tally.parts, expected, "neither")
            missing = set(tally.rulings) - self.game.sentences.keys()
            expected = f"the tally {tally.label!r} counts message ids that have a sentence"
            self.expect(not missing, expected, f"no sentence for {sorted(missing)}")

    def test_after_the_end_every_action_is_refused(self) -> None:
        for game in self.all_games():
            played = list(self._visited(game))
            for moment in played[-20:]:
                answer = self.game.apply(played[-1].step.state, moment.action)
                expected = f"after the end `apply` refuses every action, such as {shown(moment.action)}"
                self.expect(isinstance(answer, Refusal), expected, answer)

    def test_the_next_game_of_a_match_can_begin(self) -> None:
        for game in self.all_games():
            first, changed = self.game.rematch(game.setup)
            self.expect(first in range(game.setup.players), "`rematch` names a seat that begins", first)
            self.game.setup(replace(game.setup, first=first, options=replace(game.setup.options, **changed)))

    # --- Nothing gets lost ---

    def test_pieces_are_conserved(self) -> None:
        for game in self.all_games():
            self.expect_pieces_kept(game)

    def test_what_is_put_back_makes_the_table_what_it_was(self) -> None:
        for _, moment, _ in self.looked_at():
            now = Counter(dict(self.lying(moment.step.state)))
            before = Counter(dict(self.lying(moment.before)))
            for move in moves(now, before):
                now[move.thing, move.source] -= move.count
                now[move.thing, move.target] += move.count
            now.subtract(before)
            left = {f"{thing} in {place}": count for (thing, place), count in now.items() if count}
            expected = "after an undo every piece can go back: `whereabouts` has as many of each before and after"
            self.expect(not left, expected, left, PIECES)

    # --- Transcripts ---

    def test_transcripts_round_trip(self) -> None:
        for game in self.all_games():
            setup = game.setup
            header = Header(self.name, usual_names(setup.players), setup.first, msgspec.to_builtins(setup.options))
            lines = [msgspec.json.encode(each) for each in (header, *(moment.action for moment in game.moments))]
            read = parse_transcript(b"\n".join(lines), "a game of chance")
            _setup, state = begin(read.header, setup.box)
            for line, _moment in zip(read.lines, self._visited(game), strict=True):
                answer = self.game.apply(state, read_action(self.game, line.action))
                if not isinstance(answer, Step):
                    self.fail("a transcript is accepted as it was played", shown(answer), IMPURE)
                state = answer.state
            table, last = self.game.table(state), self.game.table(game.moments[-1].step.state)
            if table != last:
                self.fail("a transcript leads to the same table", difference(last, table), IMPURE)

    def test_what_transcripts_promise_about_the_table_is_there(self) -> None:
        for setup, moment, _ in self.looked_at():
            table = msgspec.to_builtins(self.game.table(moment.step.state))
            for name in self.game.per_player:
                expected = f"`table` has a field {name!r}, which `per_player` declares, with {setup.players} entries"
                self.expect(name in table and len(table[name]) == setup.players, expected, table.get(name))
            missing = set(self.game.seats) - table.keys()
            self.expect(not missing, "`table` has the fields that `seats` declares", f"no {sorted(missing)}")
