"""What is said to a gesture that is no action, in English."""

SENTENCES: dict[str, str] = {}
