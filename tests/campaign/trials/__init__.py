"""One module for each trial. It has

TITLE   what is tried, in a few words: a row of docs/reliability.md
HOW     how it is tried, in one or two sentences
FULL    how often in `make campaign`
QUICK   how often in `make test`: seconds, not minutes
run(count, seed) -> Outcome
"""
