"""What holds for the rules of every game: pure, frozen, legal or refused, nothing lost, and always an end."""

from collections import Counter

import msgspec
from msgspec.structs import replace

from companion.gamekit import discovery
from companion.gamekit.contract.played_games import PlayedByChance, counted, encoded, soft_spots, told
from companion.gamekit.ending import broken_tie, shared_victory, teams_of
from companion.gamekit.game import Refusal, Step, moves
from companion.gamekit.game_start import Header, begin, read_action, usual_names
from companion.gamekit.manifest import API
from companion.gamekit.transcript import parse_transcript
from companion.language.general_sentences import SENTENCES as GENERAL
from companion.language.wording import say


class RulesContract(PlayedByChance):
    # --- Found, and of this kit ---

    def test_the_game_is_found_by_its_entry_point(self) -> None:
        assert self.name in discovery.names()
        assert discovery.manifest(self.name).api == API
        assert self.game.name == self.name

    def test_every_action_is_a_frozen_struct_with_a_name_of_its_own(self) -> None:
        configs = [action.__struct_config__ for action in self.game.actions]
        assert all(config.frozen and config.tag_field == "do" for config in configs)
        assert len({config.tag for config in configs}) == len(configs)

    # --- Pure ---

    def test_the_same_actions_lead_to_the_same_table(self) -> None:
        """No clock, no chance, no files: all that happens comes in as actions."""
        for setup, moments in self.all_played():
            state = self.game.setup(setup)
            for moment in moments:
                again = self.game.apply(state, moment.action)
                assert again == moment.step
                state = moment.step.state

    def test_states_are_frozen(self) -> None:
        for _, moment, _ in self.looked_at():
            assert list(soft_spots(moment.step.state)) == []

    def test_boxes_are_frozen_and_no_game_changes_them(self) -> None:
        """All games of a process share one."""
        for setup, moments in self.all_played():
            assert list(soft_spots(setup.box, "box")) == []
            before = repr(setup.box)
            state = self.game.setup(setup)
            for moment in moments:
                self.game.apply(state, moment.action)
                state = moment.step.state
            self.game.scores(state)
            assert repr(setup.box) == before

    def test_replay_equals_live(self) -> None:
        """An action that is written down and read again means the same."""
        for setup, moments in self.all_played():
            state = self.game.setup(setup)
            for moment in moments:
                action = read_action(self.game, msgspec.json.decode(msgspec.json.encode(moment.action)))
                assert action == moment.action
                step = self.game.apply(state, action)
                assert isinstance(step, Step)
                state = step.state
                assert state == moment.step.state

    # --- Legal and illegal ---

    def test_every_legal_action_is_accepted(self) -> None:
        for _, moment, _ in self.looked_at():
            legal = self.game.legal(moment.before)
            assert len({encoded(action) for action in legal}) == len(legal), "an action is listed twice"
            for action in legal:
                assert isinstance(self.game.apply(moment.before, action), Step), f"{action} was refused"

    def test_nothing_raises_and_a_refusal_changes_nothing(self) -> None:
        for _, moment, chance in self.looked_at():
            before = told(self.game, moment.before), self.game.legal(moment.before)
            for action in self.forms(moment.before, chance):
                assert isinstance(self.game.apply(moment.before, action), Step | Refusal)
            assert (told(self.game, moment.before), self.game.legal(moment.before)) == before

    def test_who_is_awaited_and_for_what_agrees_with_what_is_legal(self) -> None:
        for setup, moments in self.all_played():
            for moment in moments:
                legal, awaiting = self.game.legal(moment.before), self.game.awaiting(moment.before)
                assert awaiting is not None
                assert set(awaiting.do) == {action.__struct_config__.tag for action in legal}
                assert len(set(awaiting.do)) == len(awaiting.do)
                assert awaiting.seats == tuple(sorted(set(awaiting.seats)))
                assert set(awaiting.seats) <= set(range(setup.players))
                concerned = [self.concerned(moment.before, action) for action in legal]
                named = {seat for seats in concerned if seats is not None for seat in seats}
                assert named <= set(awaiting.seats)
                assert None in concerned or named == set(awaiting.seats)

    def test_all_that_is_legal_is_offered_or_one_of_its_kind(self) -> None:
        for _, moment, _ in self.looked_at():
            legal, offered = self.game.legal(moment.before), self.game.offered(moment.before)
            assert {type(action) for action in legal} <= {type(action) for action in offered}

    # --- The end ---

    def test_every_game_ends_with_points_for_everybody_and_a_winner(self) -> None:
        for setup, moments in self.all_played():
            *_, last = moments
            state = last.step.state
            assert self.game.awaiting(state) is None
            assert not self.game.offered(state)
            scores, winners = self.game.scores(state), self.game.winners(state)
            assert [score.seat for score in scores] == list(range(setup.players))
            most = max(score.total for score in scores)
            assert winners or len(teams_of(self.game, setup.players)) == 1, "no winner: only one team of all can lose"
            assert list(winners) == sorted(seat for seat in winners if scores[seat].total == most)

    def test_a_team_has_one_total_and_wins_or_loses_as_one(self) -> None:
        for setup, moments in self.all_played():
            *_, last = moments
            scores, winners = self.game.scores(last.step.state), self.game.winners(last.step.state)
            teams = teams_of(self.game, setup.players)
            seats = sorted(seat for team in teams for seat in team)
            assert seats in ([], list(range(setup.players))), f"expected each seat in one team, found {teams}"
            for team in teams:
                assert len({scores[seat].total for seat in team}) == 1, f"team {team} has several totals: {scores}"
                assert len({seat in winners for seat in team}) == 1, f"only some of team {team} win: {winners}"

    def test_what_broke_a_tie_or_shared_a_victory_has_a_sentence_and_its_facts(self) -> None:
        for setup, moments in self.all_played():
            *_, last = moments
            ending = broken_tie(self.game, last.step.state), shared_victory(self.game, last.step.state)
            for said in filter(None, ending):
                assert said.what in {**GENERAL, **self.game.sentences}, f"no sentence for {said.what!r}"
                assert "{" not in say(said, self.game.sentences, usual_names(setup.players))

    def test_every_tally_counts_rulings_that_have_a_sentence_or_parts_of_the_score(self) -> None:
        for tally in self.game.tallies:
            assert tally.rulings or tally.parts, f"{tally.label} counts nothing"
            assert set(tally.rulings) <= self.game.sentences.keys(), f"{tally.label} counts rulings without a sentence"

    def test_after_the_end_every_action_is_refused(self) -> None:
        for setup, moments in self.all_played():
            played = list(moments)
            for moment in played[-20:]:
                assert isinstance(self.game.apply(played[-1].step.state, moment.action), Refusal)
            assert setup.players

    def test_the_next_game_of_a_match_can_begin(self) -> None:
        for setup in self.setups():
            first, changed = self.game.rematch(setup)
            assert first in range(setup.players)
            self.game.setup(replace(setup, first=first, options=replace(setup.options, **changed)))

    # --- Nothing gets lost ---

    def test_pieces_are_conserved(self) -> None:
        for setup, moments in self.all_played():
            there = counted(self.lying(self.game.setup(setup)))
            for moment in moments:
                lying = self.lying(moment.step.state)
                assert all(count >= 0 or place.kind in self.endless for (_, place), count in lying.items())
                assert counted(lying) == there

    def test_what_is_put_back_makes_the_table_what_it_was(self) -> None:
        for _, moment, _ in self.looked_at():
            now = Counter(dict(self.lying(moment.step.state)))
            before = Counter(dict(self.lying(moment.before)))
            for move in moves(now, before):
                now[move.thing, move.source] -= move.count
                now[move.thing, move.target] += move.count
            now.subtract(before)
            assert not any(now.values())

    # --- Transcripts ---

    def test_transcripts_round_trip(self) -> None:
        for setup, moments in self.all_played():
            played = list(moments)
            header = Header(self.name, usual_names(setup.players), setup.first, msgspec.to_builtins(setup.options))
            lines = [msgspec.json.encode(each) for each in (header, *(moment.action for moment in played))]
            read = parse_transcript(b"\n".join(lines), "a game of chance")
            assert read.header.players == header.players
            _setup, state = begin(read.header, setup.box)
            for line in read.lines:
                step = self.game.apply(state, read_action(self.game, line.action))
                assert isinstance(step, Step)
                state = step.state
            assert self.game.table(state) == self.game.table(played[-1].step.state)

    def test_what_transcripts_promise_about_the_table_is_there(self) -> None:
        for setup, moment, _ in self.looked_at():
            table = msgspec.to_builtins(self.game.table(moment.step.state))
            assert all(len(table[name]) == setup.players for name in self.game.per_player)
            assert set(self.game.seats) <= table.keys()
