"""Going on with a game after a restart: what its table was set up with, kept beside the record, and how the game stands.

The record tells the game. It does not tell the camera, the copy that was taught, or what was chosen at the prompt: those lie in
two small files for their owner alone (a camera's address may hold a password), written whenever a game begins or goes on with
another set-up. A file that is missing or damaged costs its part only: what is left is restored, the rest is asked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion.calibration.profile import MODES, TableProfile
from companion.errors import BadInput
from companion.games.game import Game
from companion.games.seating import people_of
from companion.host import private
from companion.host.choices import Choices, ClockChoice
from companion.host.entrusting import Entrusting
from companion.host.secrets import Secrets
from companion.host.setup import CARDS, KINDS, PLAIN, CameraChoice
from companion.record import pictures
from companion.record.events import Event
from companion.referee.match import Match, fold

Json = Mapping[str, Any]
FORMAT = "kept-setup/1"


@dataclass(frozen=True)
class KeptSetup:
    """What a game's table was set up with. ``mode`` is "marked", "plain" or "cards"; ``name`` what the table is kept under,
    empty while it is not; ``options``: what was named at the prompt, for the prompt alone to read; ``profile``: lens and
    teaching, None where nothing was measured; ``second``: another camera watched as well, which the lobby cannot open."""

    camera: CameraChoice
    mode: str
    choices: Choices
    name: str = ""
    options: Json = field(default_factory=lambda: MappingProxyType({}))
    profile: TableProfile | None = None
    second: bool = False


@dataclass(frozen=True)
class Standing:
    """How a game stands that was begun before. ``secret`` is the mode on record ("asked" until somebody told or sealed one);
    ``lost``: one was entrusted, and this computer does not have it any more."""

    turn: int
    over: bool
    secret: str
    lost: bool = False


@dataclass(frozen=True)
class Resumable:
    """A game to go on with. ``kept`` is None where nothing is known of its table: camera and board are asked then."""

    standing: Standing
    kept: KeptSetup | None


def setup_file(record: Path) -> Path:
    """Where a record's set-up is kept."""
    return record.with_name(f"{record.name}.setup")


def _profile_file(record: Path) -> Path:
    return record.with_name(f"{record.name}.table")


def keep(record: Path, kept: KeptSetup) -> None:
    """Write what this game's table was set up with. Raises OSError or BadInput; what was kept before stays then."""
    document = {
        "format": FORMAT, "camera": {"kind": kept.camera.kind, "address": kept.camera.address}, "mode": kept.mode,
        "choices": kept.choices.to_json(), "name": kept.name, "options": dict(kept.options), "second": kept.second,
        "profile": kept.profile is not None,
    }  # fmt: skip
    if kept.profile is not None:
        kept.profile.save(_profile_file(record))
    private.write(setup_file(record), document)


def kept_setup(record: Path) -> KeptSetup | None:
    """What a record's table was set up with; None where nothing is kept or the file is damaged."""
    try:
        document = private.read(setup_file(record))
        camera = document["camera"]
        if document["format"] != FORMAT or camera["kind"] not in KINDS or document["mode"] not in MODES:
            return None
        kept = KeptSetup(
            CameraChoice(str(camera["kind"]), str(camera["address"])), str(document["mode"]),
            Choices.from_json(document["choices"]), str(document["name"]), MappingProxyType(dict(document["options"])),
            _profile(record) if document["profile"] else None, bool(document["second"]),
        )  # fmt: skip
    except (OSError, ValueError, KeyError, TypeError, RecursionError, BadInput):
        return None
    taught, deck = kept.profile is not None and kept.profile.taught, kept.profile is not None and kept.profile.cards is not None
    return None if (kept.mode == PLAIN and not taught) or (kept.mode == CARDS and not deck) else kept


def _profile(record: Path) -> TableProfile | None:
    try:
        return TableProfile.load(_profile_file(record))
    except BadInput:
        return None


def resumable(game: Game, events: Sequence[Event], kept: KeptSetup | None, secrets: Secrets) -> Resumable | None:
    """The game of these events, to go on with; None when none was begun. ``secrets``: what was entrusted, as far as it is known
    here. Raises InvalidRecord for events that make no game."""
    match = fold(game, events)
    if not match.begun:
        return None
    lost = not match.over and Entrusting(secrets).lost(match)
    turn = match.position.turn if match.position is not None else 1
    standing = Standing(turn, match.over, match.secret, lost)
    usual = kept.choices if kept is not None else Choices()
    choices = _as_recorded(usual, match, events)
    return Resumable(standing, None if kept is None else replace(kept, choices=choices))


def choices_of(game: Game, events: Sequence[Event], kept: KeptSetup | None, given: Choices) -> Choices:
    """How a game that was begun goes on: by its record, by what was kept beside it, and by what was ``given`` for the rest."""
    usual = kept.choices if kept is not None else given
    match = fold(game, events)
    if not match.begun:
        return given
    both = replace(usual, deal=usual.deal or given.deal, album=usual.album or given.album, clock=usual.clock or given.clock)
    recorded = _as_recorded(both, match, events)
    # Whoever asks for other rules, or other people, has to be told so.
    return replace(recorded, rules=given.rules or recorded.rules, seating=given.seating or recorded.seating)


def _as_recorded(choices: Choices, match: Match, events: Sequence[Event]) -> Choices:
    """Choices put right by the record: house rules, clocks and a secret that was told are what it says, and a game that kept
    pictures goes on keeping them."""
    usual = {rule.name: rule.default for rule in match.game.house_rules}
    rules = {name: str(choice) for name, choice in match.rules.items() if usual.get(name) != choice}
    return replace(
        choices,
        rules=MappingProxyType(rules),
        clock=_clock(events) or choices.clock,
        secret=match.secret if match.secret != "asked" else choices.secret,
        album=choices.album or any(pictures.referred(event) for event in events),
        seating=people_of(match.people),
    )


def _clock(events: Sequence[Event]) -> ClockChoice | None:
    """The clocks as they were set first; None while none were."""
    for event in events:
        if event.kind == "clock" and event.data.get("action") == "start":
            budgets = event.data["budgets"]
            return ClockChoice(max(budgets.values()), float(event.data["increment"]), float(event.data["delay"]))
    return None
