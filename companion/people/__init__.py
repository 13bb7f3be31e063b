"""The people who play: who they are, what they have played, statistics, ratings, recaps and analyses. All of it is
computed from journals.

Imported by: processes and verbs.

`persons.py` says which name in a journal is which person. `past_games.py` folds journals into results, and keeps them
until a journal changes. `statistics.py` and `ratings.py` are pure: results in, tables out. `recap.py` says what was
special about an evening, `game_analysis.py` what decided a game.
"""
