"""One table's referee: it hears one thing at a time, asks the rules, keeps the journal and answers.

Imported by: processes and verbs.
"""
