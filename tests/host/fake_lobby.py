"""A lobby whose camera is a picture that stands still, and whose games are only written down."""

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from companion.devices.cameras.addresses import CameraSettings
from companion.devices.cameras.certificates import PinnedCertificates
from companion.devices.cameras.port import Listener
from companion.devices.cameras.push import PushCamera
from companion.errors import DeviceError
from companion.host.lobby import Beginning, Lobby, LobbySettings, OpenedCamera
from companion.host.profile_store import ProfileStore
from companion.host.setup import CameraChoice
from companion.vision.frame import Frame, Image

FINGERPRINT = ":".join(["AB"] * 32)
GREY = np.full((360, 640, 3), 120, np.uint8)


class StillCamera:
    """Shows pictures one after the other, each whenever somebody asks; ``simulated`` as told."""

    waits = False
    feed = None

    def __init__(self, pictures: list[Image], name: str = "still") -> None:
        self.name, self.simulated, self.closed = name, True, threading.Event()
        self._pictures = pictures

    def frames(self) -> Iterator[Frame]:
        number = 0
        while not self.closed.is_set():
            picture = self._pictures[min(number // 2, len(self._pictures) - 1)]
            yield Frame(picture, float(number), self.name, number)
            number += 1
            self.closed.wait(0.01)

    def listen(self, listener: Listener) -> None:
        """Has nothing to say."""

    def close(self) -> None:
        self.closed.set()


class StillSources:
    """Opens a still camera, a phone, nothing at an address called "broken", and at "https://…" only who is trusted."""

    def __init__(self, pictures: list[Image] | None = None) -> None:
        self.pictures = pictures or [GREY]
        self.opened: list[StillCamera | PushCamera] = []
        self.trusted: set[str] = set()

    def trust(self, fingerprint: str) -> None:
        self.trusted.add(fingerprint)

    def open(self, choice: CameraChoice, *, preview: bool) -> OpenedCamera:
        if choice.address == "broken":
            raise DeviceError("camera broken: cannot be opened")
        if choice.address.startswith("https://") and FINGERPRINT not in self.trusted:
            PinnedCertificates().check("https://cam", "cam:443", FINGERPRINT)
        phone = choice.kind == "phone"
        camera = PushCamera(settings=CameraSettings(read_timeout=0.5)) if phone else StillCamera(self.pictures)
        self.opened.append(camera)
        return OpenedCamera(camera)


class FakeLobby(Lobby):
    """A lobby that writes down what it begins."""

    def __init__(self, folder: Path, sources: StillSources | None = None) -> None:
        self.begun: list[Beginning] = []
        self.sources = sources or StillSources()
        settings = LobbySettings(look_every_s=0.2, board_kept_s=0.5, first_picture_s=2.0)
        super().__init__(self.sources, ProfileStore(folder / "tables"), self.begun.append, settings=settings)


class PlayingLobby(FakeLobby):
    """A lobby in whose middle a game is on."""

    playing = True
