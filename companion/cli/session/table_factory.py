"""A table made ready as it was chosen to be played: rules, dealing, clocks, pictures, and the seal at the end."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from companion.calibration.profile import TableProfile
from companion.cli.session.output import OutputOptions
from companion.cli.session.prompt import words_go
from companion.devices.cameras.port import Camera
from companion.errors import BadInput
from companion.games.game import Game
from companion.host.choices import Choices
from companion.host.enrolling import Enrolling
from companion.host.picture_store import PictureStore, PictureStoreSettings
from companion.host.ports import FrameWatcher, Subscriber
from companion.host.resuming import KeptSetup, keep
from companion.host.sealing import Sealer
from companion.host.secrets import Secrets
from companion.host.table import Table, TableSettings
from companion.record.log import Record
from companion.record.pictures import folder_of
from companion.record.seal import seal_of
from companion.vision.reader import Reader


def make_table(
    game: Game,
    record: Record,
    camera: Camera,
    watcher: FrameWatcher,
    secrets: Secrets,
    announcer: Subscriber | None,
    *,
    edition: str | None,
    choices: Choices,
    picture_store: PictureStoreSettings,
    signing_key: Path | None,
    enrolling: Enrolling | None = None,
) -> Table:
    """The table, not started yet. A game that is resumed keeps its house rules and its clocks; raises BadInput when other
    house rules are asked for."""
    table = Table(
        game, record, camera, watcher, secrets, announcer,
        edition=edition,
        rules=dict(choices.rules),
        copy=choices.to_json().get("copy"),
        people=choices.seating,
        settings=TableSettings(deal=choices.deal),
        picture_store=PictureStore(folder_of(record.path), picture_store, keeps=choices.album),
        sealer=Sealer(signing_key, seal_of(record.path)) if signing_key else None,
        enrolling=enrolling,
    )  # fmt: skip
    if choices.clock is not None and table.snapshot()["clock"] is None:
        clock = choices.clock
        table.answer(
            {
                "kind": "clock",
                "action": "start",
                "seconds": clock.seconds,
                "increment": clock.increment,
                "delay": clock.delay,
            }
        )
    return table


def remember(record: Path, kept: KeptSetup, showing: OutputOptions) -> None:
    """Keep what the table was set up with. What cannot be written costs a restart its one press, never the game."""
    try:
        keep(record, kept)
    except (OSError, BadInput) as error:
        why = getattr(error, "strerror", None) or error
        out = words_go(showing.events_as_json)
        print(f"what this table was set up with cannot be kept beside its record ({why})", file=out)


def enrolling_with(reader: Reader, keep_learnt: Callable[[], None]) -> Enrolling | None:
    """What learns second sides while a game is on, for a reader that can."""
    return Enrolling(reader, keep_learnt) if reader.traits.enrols else None


def with_learnt(profile: TableProfile | None, reader: Reader) -> TableProfile | None:
    """A table's profile with all that its reader knows by now."""
    from companion.vision.plain.reader import PlainReader  # noqa: PLC0415 - loaded only where such a table is played

    if profile is None or not isinstance(reader, PlainReader):
        return profile
    return replace(profile, teaching=reader.teaching)
