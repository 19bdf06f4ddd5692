"""The lobby as JSON, for whoever shows it. Sentences are templates with their words; shares are of the picture's size."""

from typing import Any

from companion import games
from companion.devices.cameras.addresses import without_password
from companion.devices.cameras.modes import CameraModes, all_modes
from companion.host import setup as steps
from companion.host.lobby import Lobby
from companion.host.profile_store import KnownTable
from companion.host.resuming import Resumable
from companion.host.setup import BoardFound, CameraChoice, Line, Setup
from companion.host.setup_vision import BoardDetection
from companion.vision.camera import displayed_mm

BOARD_FOUND = Line("The board is found, to {error} mm.")
LOOKING = Line("The board is not found yet.")
OTHER_GAME = Line("This looks like {game}: choose it in the first step.")
WAITING_FOR_PHONE = Line("Waiting for the phone.")
SEEN = Line("{seen} pieces are recognised.")
NONE_SEEN = Line("No piece is recognised yet.")
SEEN_AND_HIDDEN = Line("{seen} pieces are recognised, {hidden} are not in sight.")
SEEN_AND_UNTOLD = Line("{seen} pieces are recognised. At {untold} places it cannot be told yet whether something lies there.")

SECOND_CAMERA = Line("Two cameras watched this table. It goes on with the first; name both at the prompt to have both.")


def lobby_json(lobby: Lobby) -> dict[str, Any]:
    """Everything a page needs to show the step it is at, and where the others stand."""
    lobby.look()
    chosen = lobby.setup
    board = lobby.game.board(chosen.edition)
    return {
        "at": chosen.at,
        "playing": lobby.playing,
        "changed": lobby.changed,
        "fixed": chosen.fixed,
        "steps": [{"id": step, "done": _done(lobby, chosen, step)} for step in steps.STEPS],
        "missing": [{"step": step, **line.to_json()} for step, line in _missing(lobby, chosen)],
        "game": chosen.game,
        "edition": chosen.edition,
        "labels": dict(board.labels),
        "seats": list(lobby.seats),
        "deals": lobby.game.deals,
        "seating": None if lobby.game.seating is None else lobby.game.seating.to_json(),
        "games": [_game(id_) for id_ in games.available()],
        "tables": [_table(table) for table in lobby.profiles.tables()],
        "resume": _resume(lobby),
        "camera": _camera(lobby, chosen),
        "board": _board(lobby, chosen),
        "mode": chosen.mode,
        "pictures": sorted(chosen.pictures),
        "shown": sorted(kind for kind in chosen.pictures if lobby.taken(kind)),
        "losable": lobby.losable,
        "sides": None if lobby.sides is None else [line.to_json() for line in lobby.sides],
        "deck": [{"id": face.key, "text": face.name, "params": {}, "known": known} for face, known in lobby.deck],
        "lessons": len(board.lessons),
        "problems": list(chosen.doubts) if chosen.doubts is not None else None,
        "accepted": chosen.accepted,
        "exchanged": None if lobby.exchanged is None else lobby.exchanged.to_json(),
        "learnt": None if lobby.learnt is None else lobby.learnt.to_json(),
        "name": chosen.name,
        "choices": chosen.choices.to_json(),
        "copy_tables": [
            {
                "name": table.name,
                "text": table.text,
                "params": {},
                "longest": table.longest,
                "rows": [_called(*row) for row in table.rows],
                "columns": [_called(*column) for column in table.columns],
                "needed": list(lobby.game.copy_rows(table.name, chosen.choices.rules)),
            }
            for table in lobby.game.copy_tables
        ],
        "rules": [
            {"name": rule.name, "choices": list(rule.choices), "default": rule.default, "text": rule.text, "params": {}}
            for rule in lobby.game.house_rules
        ],
    }


def _called(name: str, text: str) -> dict[str, Any]:
    """A row or a column of a table, with what it is called."""
    return {"id": name, "text": text, "params": {}}


def _done(lobby: Lobby, chosen: Setup, step: str) -> bool:
    if step == steps.PIECES and _nothing_recognised(lobby, chosen):
        return False
    return steps.done(chosen, step) and not (step == steps.CAMERA and _phone_to_come(lobby, chosen))


def _missing(lobby: Lobby, chosen: Setup) -> tuple[tuple[str, Line], ...]:
    """What keeps the game from starting: a phone that sends nothing yet comes before all that its pictures would show."""
    missing = steps.missing(chosen)
    return ((steps.CAMERA, WAITING_FOR_PHONE), *missing) if _phone_to_come(lobby, chosen) else missing


def _phone_to_come(lobby: Lobby, chosen: Setup) -> bool:
    """Whether a phone was chosen that has not sent any picture yet: that is nothing lost, only somebody still on the way."""
    phone = chosen.camera is not None and chosen.camera.kind == "phone"
    return phone and lobby.preview is not None and lobby.preview.newest() is None


def devices_json() -> list[dict[str, Any]]:
    """The cameras on this machine that can film, with the largest picture each can give."""
    return [_device(device) for device in all_modes() if device.modes or device.problem]


def _device(device: CameraModes) -> dict[str, Any]:
    sizes = sorted({size for found in device.modes.values() for size in found}, reverse=True)
    return {
        "address": device.device,
        "name": device.name,
        "size": list(sizes[0]) if sizes else None,
        "problems": [f"{device.device} {device.problem}"] if device.problem else [],
    }


def _game(id_: str) -> dict[str, Any]:
    game = games.load(id_)
    editions = [{"id": edition, "label": game.board(edition).label} for edition in game.editions()]
    return {"id": id_, "label": game.board(game.editions()[0]).name, "editions": editions}


def _table(table: KnownTable) -> dict[str, Any]:
    game = games.load(table.game) if table.game in games.available() else None
    label = game.board(table.edition).label if game is not None and table.edition in game.editions() else table.edition
    return {
        "id": table.id, "name": table.name, "game": table.game, "edition": table.edition, "label": label, "mode": table.mode,
        "used": table.used, **_shown(table.camera),
    }  # fmt: skip


def _resume(lobby: Lobby) -> dict[str, Any] | None:
    """The game on record that can be gone on with; None where there is none, or it is on already."""
    found = lobby.resumable
    if found is None or lobby.playing:
        return None
    standing, kept = found.standing, found.kept
    wished = kept.choices.secret if kept is not None else "asked"
    return {
        "name": kept.name if kept is not None else "",
        "turn": standing.turn,
        "over": standing.over,
        "secret": standing.secret,
        "asks": wished if standing.secret == "asked" and not standing.over else "asked",
        "camera": None if kept is None else _shown(kept.camera),
        "lines": [line.to_json() for line in _warnings(lobby, found)],
    }


def _lost(lobby: Lobby) -> Line:
    """What was entrusted is gone, in the words that the board file has for this place, else as the game says it."""
    game = lobby.game
    return Line(game.board(game.editions()[0]).labels.get("secret-lost", game.secret_lost))


def _warnings(lobby: Lobby, found: Resumable) -> list[Line]:
    lines = [_lost(lobby)] if found.standing.lost else []
    return [*lines, SECOND_CAMERA] if found.kept is not None and found.kept.second else lines


def _shown(camera: CameraChoice) -> dict[str, Any]:
    shown = without_password(camera.address) if camera.kind == "address" else camera.address
    return {"kind": camera.kind, "address": shown}


def _camera(lobby: Lobby, chosen: Setup) -> dict[str, Any] | None:
    preview = lobby.preview
    if chosen.camera is None or preview is None:
        return None
    frame, trouble, state = preview.newest(), preview.trouble, preview.state
    line = None if trouble is None else Line(trouble.text, trouble.params)
    if _phone_to_come(lobby, chosen):
        line, state = WAITING_FOR_PHONE, "starting"
    return {
        **_shown(chosen.camera),
        "name": preview.name,
        "simulated": preview.simulated,
        "recorded": preview.recorded and not lobby.playing,
        "state": state,
        "size": None if frame is None else list(frame.size),
        "trouble_line": None if line is None else line.to_json(),
    }


def _hints(found: BoardFound, mode: str) -> list[dict[str, Any]]:
    """How the camera could see the board better; nothing where it sees it as it should."""
    viewing = found.viewing
    return [] if viewing is None else [Line(*fault).to_json() for fault in viewing.faults(marked=mode == steps.MARKED)]


def _recognised(detection: BoardDetection) -> Line:
    """How many pieces are recognised in the last look."""
    if not detection.seen:
        return NONE_SEEN
    if detection.hidden:
        return Line(SEEN_AND_HIDDEN.text, {"seen": detection.seen, "hidden": detection.hidden})
    if detection.untold:
        return Line(SEEN_AND_UNTOLD.text, {"seen": detection.seen, "untold": detection.untold})
    return Line(SEEN.text, {"seen": detection.seen})


def _all_recognised(detection: BoardDetection) -> bool:
    return detection.seen > 0 and not detection.hidden and not detection.untold


def _nothing_recognised(lobby: Lobby, chosen: Setup) -> bool:
    """Whether stickers are looked for, the board is in sight, and no piece on it is recognised: then they are not known yet."""
    detection = lobby.detection
    by_stickers = chosen.mode not in (steps.PLAIN, steps.CARDS)
    return by_stickers and detection is not None and detection.board is not None and not detection.seen


def _board(lobby: Lobby, chosen: Setup) -> dict[str, Any]:
    found, detection = chosen.board, lobby.detection
    line = LOOKING if found is None else Line(BOARD_FOUND.text, {"error": displayed_mm(found.error_mm)})
    other = found is None and detection is not None and detection.other
    if other:
        game = games.load(other)
        line = Line(OTHER_GAME.text, {"game": game.board(game.editions()[0]).name})
    pieces = None
    if detection is not None and detection.board is not None:
        pieces = {**_recognised(detection).to_json(), "all": _all_recognised(detection)}
    return {
        "way": None if found is None else found.way,
        "error_mm": None if found is None else round(found.error_mm, 2),
        "corners": None if found is None else [list(corner) for corner in found.corners],
        "line": line.to_json(),
        "pieces": pieces,
        "problems": [detection.why] if detection is not None and detection.why and found is None and not other else [],
        "hints": [] if found is None else _hints(found, chosen.mode),
    }
