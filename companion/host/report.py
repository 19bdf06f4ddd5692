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
    for event in events:
        said = spoken.announce(event.to_json())
        if event.kind == "turn-opened":
            before = svg(board, pieces, event.data["position"])
            parts.append(f"</ul><h2>{escape(said.text if said else '')}</h2>{before}<ul>")
        elif said is not None:
            shown = _pictures(event, pictures)
            parts.append(f"<li class='{_TOLD.get(event.kind, event.kind)}'>{escape(said.text)}{shown}</li>")
    rules = "".join(f"<li><code>{escape(name)}</code>: {escape(str(choice))}</li>" for name, choice in match.rules.items())
    parts.append(f"</ul><h2>The board now</h2>{svg(board, pieces, match.position.to_json())}")
    parts.append(f"<h2>House rules</h2><ul>{rules}</ul>")
    parts.append(f"<p><small>{len(events)} events; head of the record <code>{events[-1].digest}</code></small></p></html>")
    return "\n".join(parts)


def _pictures(event: Event, folder: Path | None) -> str:
    """The picture after an event, in the page itself; one that was changed is left out and said to be."""
    digest = referred(event).get("after")
    path = file_of(folder, digest) if folder and digest else None
    if path is None or not path.is_file():
        return ""
    picture = path.read_bytes()
    if hashlib.sha256(picture).hexdigest() != digest:
        return "<p class='wrong'>(its picture was changed)</p>"
    return f"<br><img alt='' loading='lazy' src='data:image/jpeg;base64,{base64.b64encode(picture).decode()}'>"


def _time(event: Event) -> str:
    return datetime.fromtimestamp(event.at, UTC).strftime("%Y-%m-%d %H:%M:%S")


def _harmless(cell: object) -> object:
    """Text that a spreadsheet would take for a formula gets an apostrophe in front."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in "=+-@\t\r" else cell
