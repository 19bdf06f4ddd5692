"""A finished game for people: a table of what happened for organisers (CSV), a report with diagrams for players (HTML)."""

import base64
import csv
import hashlib
import io
from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape
from pathlib import Path

from companion.announce.phrases import Phrases
from companion.games.game import Game
from companion.host.diagram import svg
from companion.record.events import Event
from companion.record.pictures import file_of, referred
from companion.record.words import words
from companion.referee.match import fold

COLUMNS = ("number", "time", "kind", "turn", "pick", "player", "character", "ability", "text", "notation", "digest")
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem;color:#222}"
    "h2{margin-top:2.5rem;border-bottom:1px solid #ccc}li{margin:.3rem 0}.wrong{color:#a11}.call{font-weight:600}"
    "svg,img{max-width:100%;height:auto}small,code{color:#666;word-break:break-all}"
)
_TOLD = {"flag": "wrong", "doubt": "wrong", "call": "call", "outcome": "call"}


def as_csv(game: Game, events: Sequence[Event], phrases: Phrases | None = None) -> str:
    """One line an event, header first; times in UTC."""
    spoken, out = phrases or Phrases(), io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for event in events:
        data = event.data
        said = spoken.announce(event.to_json())
        position = data.get("position")
        notation = game.position(position, tolerant=True).notation() if position else ""
        fields = [data.get(key, "") for key in ("turn", "pick", "mover", "character", "ability")]
        row = [event.number, _time(event), event.kind, *fields, said.text if said else "", notation, event.digest]
        writer.writerow(["" if cell is None else _harmless(cell) for cell in row])
    return out.getvalue()


def as_html(game: Game, events: Sequence[Event], phrases: Phrases | None = None, *, pictures: Path | None = None) -> str:
    """A page of its own, nothing to load: what was said event by event, and the board at the end of every turn.

    With the folder of the record's ``pictures`` those that are still what they were are put in.
    """
    spoken, match = phrases or Phrases(), fold(game, events)
    board, pieces = game.board(match.position.edition), game.pieces()
    title = f"{game.name}: {board.label}"
    parts = [
        f"<!doctype html><html lang='en'><meta charset='utf-8'><title>{escape(title)}</title><style>{_STYLE}</style>",
        f"<h1>{escape(title)}</h1><p>{_time(events[0])} – {_time(events[-1])}</p><h2>Set-up</h2><ul>",
    ]
    shown: set[str] = set()
    for event in events:
        said = spoken.announce(event.to_json())
        if event.kind == "turn-opened":
            before = svg(board, pieces, event.data["position"])
            head = f"<p><small>{_clock(event)} · head of the record: {escape(words(event.digest))}</small></p>"
            parts.append(f"</ul><h2>{escape(said.text if said else '')}</h2>{head}{before}<ul>")
        elif said is not None:
            why = _reason(event, said.text)
            text = f"<small>{_clock(event)}</small> {escape(said.text)}{why}{_picture(event, pictures, shown)}"
            parts.append(f"<li class='{_TOLD.get(event.kind, event.kind)}'>{text}</li>")
    rules = "".join(f"<li><code>{escape(name)}</code>: {escape(str(choice))}</li>" for name, choice in match.rules.items())
    parts.append(f"</ul><h2>The board now</h2>{svg(board, pieces, match.position.to_json())}")
    parts.append(f"<h2>House rules</h2><ul>{rules}</ul>")
    parts.append(f"<p><small>{len(events)} events; head of the record <code>{events[-1].digest}</code></small></p></html>")
    return "\n".join(parts)


def _reason(event: Event, said: str) -> str:
    """Why it was ruled so, unless that was said already."""
    reason = event.data.get("reason") if event.kind in ("ruling", "clock", "clean-up") else None
    return f" <em>{escape(reason)}</em>" if isinstance(reason, str) and reason and reason not in said else ""


def _picture(event: Event, folder: Path | None, shown: set[str]) -> str:
    """The picture after an event, in the page itself and once; one that was changed is left out and said to be."""
    digest = referred(event).get("after")
    path = file_of(folder, digest) if folder and digest and digest not in shown else None
    if digest is None or path is None or not path.is_file():
        return ""
    shown.add(digest)
    picture = path.read_bytes()
    if hashlib.sha256(picture).hexdigest() != digest:
        return "<p class='wrong'>(its picture was changed)</p>"
    return f"<br><img alt='' loading='lazy' src='data:image/jpeg;base64,{base64.b64encode(picture).decode()}'>"


def _clock(event: Event) -> str:
    return datetime.fromtimestamp(event.at, UTC).strftime("%H:%M:%S")


def _time(event: Event) -> str:
    return datetime.fromtimestamp(event.at, UTC).strftime("%Y-%m-%d %H:%M:%S")


def _harmless(cell: object) -> object:
    """Text that a spreadsheet would take for a formula gets an apostrophe in front."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(tuple("=+-@\t\r")) else cell
