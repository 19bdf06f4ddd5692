"""Pictures of which bytes were lost on the way: refused, whatever a decoder fills in; padding and whole pictures are not."""

import random
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion import demo
from companion.errors import BadInput
from companion.vision.pictures import jpeg_coded
from companion.vision.pictures.decoding import PictureLimits, decode

WHOLE = sorted((Path(demo.__file__).parent).rglob("*.jpg"))
SCENE = (np.random.default_rng(5).random((480, 640, 3)) * 90 + np.arange(640).reshape(1, -1, 1) / 4).astype(np.uint8)


def jpeg(*parameters: int) -> bytes:
    return cv2.imencode(".jpg", SCENE, parameters)[1].tobytes()


def as_cameras_send(file: Path) -> bytes:
    """Line by line, not progressive."""
    return cv2.imencode(".jpg", cv2.imread(str(file)), [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()


def lacking(data: bytes, chance: random.Random) -> bytes:
    """The same with 20 to 3,000 bytes cut out of its coded data."""
    length = chance.randint(20, 3000)
    begin = chance.randint(data.find(b"\xff\xda") + 20, len(data) - length - 2)
    return data[:begin] + data[begin + length :]


def test_pictures_with_bytes_missing_are_found_and_whole_ones_are_not() -> None:
    chance, missed = random.Random(3), []
    for number in range(40):
        decode(WHOLE[number % len(WHOLE)].read_bytes(), "whole")
        whole = as_cameras_send(WHOLE[number % len(WHOLE)])
        decode(whole, "whole")
        try:
            decode(lacking(whole, chance), "picture")
            missed.append(number)
        except BadInput as error:
            assert str(error).startswith("picture: torn picture: ")
    assert missed == []


@pytest.mark.parametrize("size", [1, 2, 4, 8])
def test_pictures_read_at_a_reduced_size_are_looked_through_as_well(size: int) -> None:
    limits = PictureLimits(most_pixels=640 * 480 // size**2)
    assert decode(jpeg(), "whole", limits).reduction == size
    with pytest.raises(BadInput, match="bytes are missing"):
        decode(lacking(jpeg(), random.Random(1)), "picture", limits)


def test_a_phones_picture_that_asks_to_be_turned_is_turned_and_looked_through() -> None:
    tags = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0"
    turned = jpeg()[:2] + b"\xff\xe1" + (len(tags) + 2).to_bytes(2, "big") + tags + jpeg()[2:]
    assert decode(turned, "whole").image.shape == (640, 480, 3)
    with pytest.raises(BadInput, match="bytes are missing"):
        decode(lacking(turned, random.Random(2)), "picture")


@pytest.mark.parametrize(
    "parameters",
    [(), (cv2.IMWRITE_JPEG_PROGRESSIVE, 1), (cv2.IMWRITE_JPEG_RST_INTERVAL, 4), (cv2.IMWRITE_JPEG_SAMPLING_FACTOR, 0x111111)],
)
@pytest.mark.parametrize("padding", [b"", b"\0\0", b"\xff\xff\xff", bytes(500)])
def test_every_coding_is_read_to_the_pixel_and_padding_does_no_harm(parameters: tuple[int, ...], padding: bytes) -> None:
    data = jpeg(*parameters)
    found = decode(data[:-2] + padding + data[-2:], "picture").image
    assert np.array_equal(found, cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR))


def test_looking_costs_no_more_than_opencvs_own_decoding() -> None:
    data = memoryview(cv2.imencode(".jpg", cv2.resize(cv2.imread(str(WHOLE[0])), (1920, 1080)))[1].tobytes())

    def fastest(work: object) -> float:
        times = []
        for _ in range(9):
            begun = time.process_time()
            work()  # type: ignore[operator]
            times.append(time.process_time() - begun)
        return min(times)

    ours = fastest(lambda: jpeg_coded.decoded(data))
    theirs = fastest(lambda: cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR))
    assert ours <= theirs + 0.002, "at most 2 ms more a picture"
