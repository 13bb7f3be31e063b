"""Simulated hardware: chips, tags, daemons, lines and a processor that real drivers cannot tell from real ones."""
