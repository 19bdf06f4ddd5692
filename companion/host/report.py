"""A finished game for people: a table of what happened for organisers (CSV), a report with diagrams for players (HTML)."""

import base64
import csv
import hashlib
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from typing import Any

from companion.announce.phrases import Phrases
from companion.boards import Board, PieceSet
from companion.games.game import Game
from companion.games.seats import Line
from companion.host.diagram import legend, svg
from companion.host.turn_opening import opens_turn
from companion.record.events import Event
from companion.record.pictures import referred
from companion.record.words import words
from companion.referee.audit import superseded
from companion.referee.match import Match, fold

COLUMNS = ("number", "time", "kind", "turn", "pick", "player", "character", "ability", "text", "notation", "digest")
_STYLE = (
    ":root{color-scheme:light}"
    "body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}"
    "h1,h2{line-height:1.2}h2{margin-top:2.5rem;border-bottom:1px solid #ccc}ul{padding-left:1.2rem}li{margin:.3rem 0}"
    ".wrong{color:#a11}.call{font-weight:600}svg,img{max-width:100%;height:auto}small,code{color:#666;overflow-wrap:anywhere}"
    ".legend{display:grid;grid-template-columns:repeat(auto-fill,minmax(10rem,1fr));gap:.2rem .8rem}"
    ".legend{list-style:none;padding:0}.legend svg{flex:none}"
    ".legend li{display:flex;gap:.5rem;align-items:center;margin:0;line-height:1.2}"
    "svg text{font-family:system-ui,sans-serif}"
    ".name{font-size:6.4px;font-weight:600;text-anchor:middle;fill:#2c2a24}"
    ".name{stroke:#fffdf6;stroke-width:1.7px;paint-order:stroke;stroke-linejoin:round}"
    "@media(max-width:34rem){body{margin:1rem auto}.name{font-size:8.6px}}"
    "@media print{li,svg{break-inside:avoid}}"
)
_CHOICES = {
    "any": "any number", "free": "free of choice", "either": "one of them", "spend-all": "all of them",
    "when-picked": "as when picked",
}  # fmt: skip
"""How a house rule is settled, in words, where its name alone would not say it; a game's own are labels of its board."""
_TOLD = {"flag": "wrong", "doubt": "wrong", "call": "call", "outcome": "call"}


def as_csv(game: Game, events: Sequence[Event], phrases: Phrases | None = None) -> str:
    """One line an event, header first; times in UTC."""
    spoken, out = phrases or _english(game), io.StringIO()
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


def _english(game: Game) -> Phrases:
    names = {piece.id: piece.name for piece in game.pieces().pieces.values()}
    return Phrases.of(game.board(game.editions()[0]).labels, names)


Kept = Callable[[str], bytes | None]
"""A picture by its digest, as JPEG; None when it is not kept."""


def as_html(game: Game, events: Sequence[Event], phrases: Phrases | None = None, *, pictures: Kept | None = None) -> str:
    """A page of its own, nothing to load: what was said event by event, the board at the start of every turn, and what the
    diagrams' symbols mean.

    With ``pictures`` those of the record that are still what they were are put in.
    """
    return "\n".join(html_parts(game, events, phrases, pictures=pictures))


def html_parts(
    game: Game, events: Sequence[Event], phrases: Phrases | None = None, *, pictures: Kept | None = None
) -> Iterator[str]:
    """The lines of :func:`as_html` one by one, so that a report with many pictures is never in memory as a whole. ``events``
    hold a game that was opened; what is wrong with them is raised at once, not by the first line."""
    return _parts(game, events, fold(game, events), phrases or _english(game), pictures)


def _parts(game: Game, events: Sequence[Event], match: Match, spoken: Phrases, pictures: Kept | None) -> Iterator[str]:
    board, pieces = game.board(match.position.edition), game.pieces()
    title = f"{game.name}: {board.label}"
    yield (
        f"<!doctype html><html lang='en'><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<title>{escape(title)}</title><style>{_STYLE}</style>\n"
        f"<h1>{escape(title)}</h1><p>{_time(events[0])} – {_time(events[-1])}</p>\n"
        f"<details open><summary>How to read the diagrams</summary>{_legend(board, pieces)}</details><h2>Set-up</h2><ul>"
    )
    shown: set[str] = set()
    lies: Any = None
    turn, agreed, opening = None, False, events[0]
    for event in events:
        said = spoken.announce(event.to_json())
        before, lies = lies, event.data.get("position") or lies
        if opens_turn(event) and lies:
            turn = lies["turn"]
            yield _opened(event, said.text if said else "", svg(board, pieces, lies))
            continue
        if spoken.turn and agreed and event.data.get("position") and before["turn"] != turn:  # no event of its own opens it
            turn = before["turn"]
            yield _opened(opening, spoken.say(spoken.turn, {"n": turn}), svg(board, pieces, before))
        agreed = agreed or event.kind == "table-agreed"
        if event.kind == "table-agreed" or (before and lies["turn"] != before["turn"]):
            opening = event
        if said is not None:
            why = _reason(event, said.text)
            text = f"<small>{_clock(event)}</small> {escape(said.text)}{why}{_picture(event, said.text, pictures, shown)}"
            kind = "wrong" if event.data.get("disproved") else _TOLD.get(event.kind, event.kind)
            yield f"<li class='{kind}'>{text}</li>"
    yield f"</ul><h2>The board now</h2>{svg(board, pieces, match.position.to_json())}"
    yield from _chapters(game, match)
    yield f"<h2>House rules</h2>{_house_rules(game, match.rules)}"
    yield "".join(f"<p class='remark'>{escape(text)}</p>" for text in superseded(match, events))
    yield f"<p><small>{len(events)} events; head of the record <code>{events[-1].digest}</code></small></p></html>"


def _opened(event: Event, heading: str, drawn: str) -> str:
    """Where a turn begins: its heading and the board."""
    head = f"<p><small>{_clock(event)} · head of the record: {escape(words(event.digest))}</small></p>"
    return f"</ul><h2>{escape(heading)}</h2>{head}{drawn}<ul>"


def _chapters(game: Game, match: Match) -> Iterator[str]:
    """What was secret, once the game is over and it was opened: drawn and told chapter by chapter."""
    if not match.over or match.state is None:
        return
    opened = [match.held_open(seat) for seat in game.seats]
    board, pieces = game.board(match.position.edition), game.pieces()
    for chapter in game.chapters(match.state, opened):
        drawn = svg(board, pieces, chapter.position, way=chapter.way, marked=chapter.marked)
        lines = "".join(f"<li>{escape(_sentence(line))}</li>" for line in chapter.lines)
        yield f"<section class='chapter'><h2>{escape(_sentence(chapter.heading))}</h2>{drawn}<ul>{lines}</ul></section>"


def _sentence(line: Line) -> str:
    return line.text.format(**line.params)


def _legend(board: Board, pieces: PieceSet) -> str:
    entries = "".join(f"<li>{symbol}<span>{escape(word)}</span></li>" for symbol, word in legend(board, pieces))
    return f"<ul class='legend'>{entries}</ul>"


def _house_rules(game: Game, settled: Mapping[str, Any]) -> str:
    """Every disputed point as the game tells it and how it was settled; those settled in another way than usual first."""
    lines, labels = [], game.board(game.editions()[0]).labels
    for rule in game.house_rules:
        choice = str(settled.get(rule.name, rule.default))
        usual = choice == rule.default
        said = labels.get(f"choice-{choice}") or _CHOICES.get(choice) or choice.replace("-", " ")
        told = " <small>(as usual)</small>" if usual else ""
        lines.append((usual, f"<li data-rule='{escape(rule.name)}'>{escape(rule.text)} <b>{escape(said)}</b>{told}</li>"))
    return f"<ul>{''.join(line for _, line in sorted(lines, key=lambda line: line[0]))}</ul>"


def _reason(event: Event, said: str) -> str:
    """Why it was ruled so, unless that was said already."""
    reason = event.data.get("reason") if event.kind in ("ruling", "clock", "clean-up") else None
    return f" <em>{escape(reason)}</em>" if isinstance(reason, str) and reason and reason not in said else ""


def _picture(event: Event, said: str, kept: Kept | None, shown: set[str]) -> str:
    """The picture after an event, in the page itself and once; one that was changed is left out and said to be."""
    digest = referred(event).get("after")
    picture = kept(digest) if kept is not None and digest is not None and digest not in shown else None
    if digest is None or picture is None:
        return ""
    shown.add(digest)
    if hashlib.sha256(picture).hexdigest() != digest:
        return "<p class='wrong'>(its picture was changed)</p>"
    shown_as = f"data:image/jpeg;base64,{base64.b64encode(picture).decode()}"
    return f"<br><img alt='The table: {escape(said)}' loading='lazy' src='{shown_as}'>"


def _clock(event: Event) -> str:
    return datetime.fromtimestamp(event.at, UTC).strftime("%H:%M:%S")


def _time(event: Event) -> str:
    return datetime.fromtimestamp(event.at, UTC).strftime("%Y-%m-%d %H:%M:%S")


def _harmless(cell: object) -> object:
    """Text that a spreadsheet would take for a formula gets an apostrophe in front."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(tuple("=+-@\t\r")) else cell
