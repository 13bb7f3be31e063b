"""Faults as people make them, by the thousand: does a check notice each of them? `make hardware-mutants`."""
