"""Bytes to a picture: torn, huge, empty and foreign data each get their own sentence."""

import cv2
import numpy as np
import pytest

from companion.devices.cameras.decoding import decode, fingerprint, picture_size
from companion.devices.cameras.port import CameraSettings
from companion.errors import BadInput
from companion.vision.pictures.jpeg import MOST_SCANS


def encoded(width=64, height=48, ending=".jpg", seed=0):
    image = np.random.default_rng(seed).integers(0, 255, (height, width, 3), np.uint8)
    return cv2.imencode(ending, cv2.GaussianBlur(image, (0, 0), 3))[1].tobytes()


@pytest.mark.parametrize("ending", [".jpg", ".png"])
def test_size_is_known_before_decoding(ending):
    assert picture_size(encoded(640, 362, ending)) == (640, 362)


def test_size_of_something_else_is_not_invented():
    assert picture_size(b"GIF89a" + bytes(40)) is None
    assert picture_size(b"\xff\xd8\xff") is None


@pytest.mark.parametrize("ending", [".jpg", ".png"])
@pytest.mark.parametrize("kept", [0.3, 0.7, 0.97])
def test_torn_picture_is_told_as_torn(ending, kept):
    data = encoded(320, 240, ending)
    with pytest.raises(BadInput, match="door: torn picture"):
        decode(data[: int(len(data) * kept)], "door")


def test_a_picture_that_would_be_walked_over_for_minutes_is_refused():
    image = np.random.default_rng(1).integers(0, 255, (48, 64, 3), np.uint8)
    usual = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])[1].tobytes()
    assert 3 < usual.count(b"\xff\xda") < MOST_SCANS
    assert decode(usual, "door").image.shape == image.shape
    last = usual.rindex(b"\xff\xda")
    with pytest.raises(BadInput, match="more than 64 scans"):
        decode(usual[:last] + usual[last:-2] * 100 + b"\xff\xd9", "door")


def test_padding_behind_the_end_mark_is_no_tear():
    assert decode(encoded() + bytes(200), "door").image.shape == (48, 64, 3)


@pytest.mark.parametrize(("data", "words"), [(b"", "empty"), (b"<html>no</html>", "cannot be decoded")])
def test_what_is_no_picture_is_said(data, words):
    with pytest.raises(BadInput, match=words):
        decode(data, "door")


def test_fifty_megapixels_are_read_reduced_and_said():
    image = np.zeros((5774, 8660, 3), np.uint8)
    image[:, 4330:] = 200
    decoded = decode(cv2.imencode(".jpg", image)[1].tobytes(), "phone")
    assert decoded.reduction == 4
    assert decoded.original_size == (8660, 5774)
    height, width = decoded.image.shape[:2]
    assert abs(width - 8660 / 4) <= 1
    assert abs(height - 5774 / 4) <= 1
    (notice,) = decoded.notices("phone")
    assert notice.message == "phone: pictures of 8660×5774 are larger than needed and are read at 1/4 of their size"


def test_absurd_sizes_are_refused_without_decoding():
    header = b"\x89PNG\r\n\x1a\n" + b"\x00\x00\x00\rIHDR" + (60000).to_bytes(4, "big") * 2 + bytes(50) + b"IEND\xaeB`\x82"
    with pytest.raises(BadInput, match="60000×60000 pixels, at most 50 megapixels"):
        decode(header, "bomb")


def test_too_many_bytes_are_refused():
    with pytest.raises(BadInput, match="at most 100 are read"):
        decode(encoded(), "door", CameraSettings(most_bytes=100))


def test_fingerprint_sees_one_changed_pixel_in_the_rows_it_looks_at():
    image = np.zeros((48, 64, 3), np.uint8)
    other = image.copy()
    other[8, 3, 1] = 1
    assert fingerprint(image) == fingerprint(image.copy())
    assert fingerprint(image) != fingerprint(other)
