"""The referee of one table: it takes one signal or intention at a time, asks the rules, writes the journal and answers.

Imported by: processes and verbs.
"""
