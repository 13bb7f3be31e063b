"""Campaigns: faults by the thousand, made by chance from a seed, and properties that have to hold through all of them.

Each trial is a module in `trials/`. `make campaign` runs all of them at full length and writes down what was tried in
docs/reliability.md; `make test` runs the first few of each.
"""
