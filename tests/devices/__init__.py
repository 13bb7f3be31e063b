"""Devices, proven against simulated chips, daemons and lines."""
