"""Lets a process write, and kills it at any moment."""

import os
import random
import time
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path


def until_killed(chance: random.Random, work: Callable[[Path, Callable[[int], None]], None], path: Path) -> list[int]:
    """What a process told before it was killed. It is forked: it has nothing to load and is soon at work."""
    heard, told = os.pipe()
    process = get_context("fork").Process(
        target=work, args=(path, lambda number: os.write(told, number.to_bytes(4)) and None)
    )
    process.start()
    os.close(told)
    with os.fdopen(heard, "rb") as pipe:
        numbers = [pipe.read(4) for _ in range(1 + chance.choice((0, 0, 1, 2, 5, 20, 40)))]
        # So that the kill falls anywhere between two entries. Who counts instead of sleeping takes the other's time on
        # a busy machine, and kills it where it stood: right behind a word.
        time.sleep(chance.uniform(0.0, 0.002))
        process.kill()
        numbers += iter(lambda: pipe.read(4), b"")
    process.join()
    process.close()
    return [int.from_bytes(number) for number in numbers]
