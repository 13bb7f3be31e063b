"""A table that has results for its hall: one file for each, until a hall server has said that it is stored.

python -m tests.campaign.reporting_table FOLDER CLUB CREDENTIAL TABLE URL URL
"""

import random
import sys
import time
from pathlib import Path

from companion.errors import LinkError
from companion.hall.hall_client import HallClient, Membership
from companion.hall.hall_messages import GameReport
from companion.hall.hall_state import ReportedSeat

SEATS = (ReportedSeat("A", 9, 1), ReportedSeat("B", 7, 2), ReportedSeat("C", 3, 3))


def main(folder: Path, club: str, credential: str, table: str, urls: list[str]) -> None:
    while waiting := sorted(folder.iterdir()):
        url = random.choice(urls)
        client = HallClient(url, Membership(url, "Campaign", club, table, credential))
        try:
            client.report(waiting[0].name, GameReport(club, 1, 1, 1, "lascaux", time.time(), SEATS))
        except LinkError:
            time.sleep(0.05)
        else:
            waiting[0].unlink()
            time.sleep(random.random() * 0.1)


if __name__ == "__main__":
    _program, place, club_id, password, name, *servers = sys.argv
    main(Path(place), club_id, password, name, servers)
