"""For those who order no board: where each leg goes on a perfboard, and which holes are wired with which."""
