"""The same examples in every run, however long they take: whether a change is good must not depend on the day.

`pytest --hypothesis-profile=explore` looks for new ones.
"""

from hypothesis import settings

settings.register_profile("steady", derandomize=True, database=None, deadline=None)
settings.register_profile("explore", print_blob=True, deadline=None)
settings.load_profile("steady")
