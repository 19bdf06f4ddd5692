"""What a table file may say: nonsense is refused in one line, and no marker stands for two pieces."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.demo import bundled, table_of
from companion.errors import BadInput
from companion.vision.table_sets.table_set import TABLE_FILE, load_table_set


def document(game: str = "mr-jack-london") -> Any:
    return json.loads((table_of(game) / TABLE_FILE).read_text())


@pytest.mark.parametrize("game", bundled())
def test_the_bundled_tables_are_possible(game: str) -> None:
    assert load_table_set(table_of(game)).marked


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d["markers"]["suspect"].update({"20": "holmes"}), "marker 20 stands for holmes and for holmes"),
        (lambda d: d["markers"]["suspect"].update({"010": "watson"}), "marker 10 stands for holmes and for watson"),
        (lambda d: d["markers"]["suspect"].update({"0": "bert"}), "marker 0 stands for bert and for a corner of the frame"),
        (lambda d: d["markers"]["suspect"].update({"10": "moriarty"}), "stands for 'moriarty', which this game does not have"),
        (lambda d: d["markers"]["suspect"].update({"10": ["holmes"]}), "which this game does not have"),
        (lambda d: d["markers"]["suspect"].update({"10": "turn"}), "stands for turn with a side 'suspect'"),
        (lambda d: d["markers"]["suspect"].update({"9999": "holmes"}), "a marker's number is 9999, from 0 to 249 is possible"),
        (lambda d: d["markers"].update(dictionary="DICT_MAGIC"), "'DICT_MAGIC' is not known"),
        (lambda d: d["markers"].update(frame_tolerance_mm=1e308), "frame_tolerance_mm is 1e"),
        (lambda d: d["markers"]["frame"]["0"]["centre_mm"].pop(), "a list is too short"),
        (lambda d: d["markers"]["frame"]["0"].update(side_mm=float("nan")), "the side_mm of frame marker 0 is nan"),
        (lambda d: d["markers"]["tiles"].update(quiet_mm=1e308), "the quiet_mm of gaslights is 1e"),
        (lambda d: d.update(board_mm=[530, -1]), "board_mm is -1"),
        (lambda d: d.update(image_size=[10**30, 1080]), "image_size is 1000"),
        (lambda d: d["camera"]["K"][0].__setitem__(0, 0), "focal length in pixels is 0"),
        (lambda d: d["camera"]["K"][0].__setitem__(2, float("inf")), "the lens has a number that is none"),
        (lambda d: d["camera"].update(D=[0, 0, 0]), "the lens has 3 distortions; 4, 5, 8, 12, 14 are known"),
    ],
)
def test_what_no_table_is_like_is_refused_in_one_line(change: Callable[[Any], Any], words: str, tmp_path: Path) -> None:
    data = document()
    change(data)
    (tmp_path / TABLE_FILE).write_text(json.dumps(data))
    with pytest.raises(BadInput) as refused:
        load_table_set(tmp_path)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_marker_written_down_twice_does_not_silently_win(tmp_path: Path) -> None:
    text = json.dumps(document()).replace('"10": "holmes"', '"10": "holmes", "10": "bert"')
    (tmp_path / TABLE_FILE).write_text(text)
    with pytest.raises(BadInput, match="'10' is there twice in one object"):
        load_table_set(tmp_path)
