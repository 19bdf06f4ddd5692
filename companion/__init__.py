"""Table Witness: a referee's eye over a real deduction board game."""

import os

__version__ = "0.1.0"

# OpenCV reads these once, while it loads, and nothing of ours that loads it comes before this. They stand behind the gate of
# companion.vision.pictures.decoding, for whatever reaches a decoder of OpenCV's by another way; as told by the user, where he
# tells it.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", "200000000")
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_WIDTH", "65535")
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_HEIGHT", "65535")
