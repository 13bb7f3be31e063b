"""A live table in Home Assistant: one retained message, from which it makes a device with all its entities.

Source: Home Assistant's documentation of MQTT discovery for devices: `dev` is the device, `o` what publishes it, `cmps`
its entities, each with a platform `p` and a `unique_id`. Names are English, and its users rename entities as they like.
"""

from typing import Any, get_args

from companion import __version__
from companion.messages.live_tables import OFFLINE, ONLINE, Glance, TablePhase, TableTopics

QUESTION = "{{ 'ON' if value_json.phase == 'question' else 'OFF' }}"
TURN = "{% for seat in value_json.turn %}{{ ', ' if not loop.first }}{{ value_json.players[seat] }}{% endfor %}"


def device(topics: TableTopics, name: str, tile: Glance, pausable: bool) -> dict[str, Any]:
    """What Home Assistant is told about this table. `pausable`: it may pause the game."""
    parts = {**_table(), **_seats(tile), **(_buttons(topics) if pausable else {})}
    return {
        "dev": {"ids": [topics.device], "name": f"Table {name}", "mf": "Companion", "mdl": "live table"},
        "o": {"name": "Companion", "sw": __version__},
        "cmps": {key: part | {"unique_id": f"{topics.device}_{key}"} for key, part in parts.items()},
        "state_topic": topics.glance,
        "availability_topic": topics.presence,
        "payload_available": ONLINE,
        "payload_not_available": OFFLINE,
        "qos": 1,
    }


def _sensor(name: str, template: str, icon: str, **more: Any) -> dict[str, Any]:
    return {"p": "sensor", "name": name, "value_template": template, "icon": icon, **more}


def _table() -> dict[str, dict[str, Any]]:
    return {
        "turn": _sensor("Turn", TURN, "mdi:account-arrow-right"),
        "phase": _sensor(
            "Phase",
            "{{ value_json.phase }}",
            "mdi:list-status",
            device_class="enum",
            options=list(get_args(TablePhase)),
        ),
        "game": _sensor("Game", "{{ value_json.title }}", "mdi:cards"),
        "headline": _sensor("Headline", "{{ value_json.headline['en'][:255] }}", "mdi:bullhorn"),
        "question": {"p": "binary_sensor", "name": "A question is open", "value_template": QUESTION},
    }


def _seats(tile: Glance) -> dict[str, dict[str, Any]]:
    """A score and a lamp for each seat."""
    parts: dict[str, dict[str, Any]] = {}
    for seat in range(len(tile.players)):
        points = (
            f"{{% set points = value_json.sums or value_json.scores %}}{{{{ points[{seat}] if points else None }}}}"
        )
        lit = f"{{{{ 'ON' if value_json.lamps[{seat}] in ('turn', 'question') else 'OFF' }}}}"
        parts[f"points_{seat + 1}"] = _sensor(f"Points of seat {seat + 1}", points, "mdi:counter")
        parts[f"lamp_{seat + 1}"] = {
            "p": "binary_sensor",
            "name": f"Lamp of seat {seat + 1}",
            "device_class": "light",
            "value_template": lit,
        }
    return parts


def _buttons(topics: TableTopics) -> dict[str, dict[str, Any]]:
    return {
        "pause": {"p": "button", "name": "Pause", "command_topic": topics.pause, "payload_press": "on"},
        "go_on": {"p": "button", "name": "Go on", "command_topic": topics.pause, "payload_press": "off"},
    }
