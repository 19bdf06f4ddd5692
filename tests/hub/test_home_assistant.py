"""Tables at home are introduced to a home automation over a real broker, and forgotten when they are gone."""

import json
from pathlib import Path

from halls import SECRET
from hub_process import HubProcess
from servers import Mosquitto, until

from companion.cli import main
from companion.hub.home_assistant import discovery


def test_every_sensor_reads_the_tables_own_topics() -> None:
    found = {topic: json.loads(body) for topic, body in discovery([("kitchen", "Kitchen table")]).items()}
    assert sorted(topic.split("/")[3] for topic in found) == ["flag", "mover", "phase", "turn"]
    for topic, config in found.items():
        assert topic.startswith("homeassistant/") and topic.endswith("/config")
        assert config["state_topic"] == "table-witness/kitchen/up/state"
        assert config["availability_topic"] == "table-witness/kitchen/up/online"
        assert config["device"]["name"] == "Kitchen table"
    assert len({config["unique_id"] for config in found.values()}) == 4


def test_a_hub_introduces_its_tables(tmp_path: Path, broker: Mosquitto) -> None:
    import paho.mqtt.client as paho  # noqa: PLC0415

    heard: dict[str, bytes] = {}
    home = paho.Client(paho.CallbackAPIVersion.VERSION2)
    home.on_message = lambda client, data, message: heard.update({message.topic: message.payload})
    home.connect("127.0.0.1", broker.port)
    home.subscribe("homeassistant/#")
    home.loop_start()
    file = str(tmp_path / "hall.sqlite")
    assert main(["hub", "enrol", "kitchen", "--database", file, "--json"]) == 0
    way = f"mqtt://hub:{SECRET}@127.0.0.1:{broker.port}"
    with HubProcess(tmp_path / "data", "--database", file, "--home-assistant", "--broker", way) as hub:
        hub.start()
        until(lambda: len(heard) == 4)
    assert all(json.loads(body)["device"]["name"] == "Kitchen" for body in heard.values())
    home.disconnect()
    home.loop_stop()
