"""Which board a session is played on: as it was named, else as its record began, else the game's usual one. Options and their
meaning."""

import argparse
from dataclasses import dataclass, replace
from pathlib import Path

from companion import boards, games
from companion.boards import Board
from companion.errors import BadInput, InvalidRecord, quoted
from companion.games.game import Game
from companion.record.log import Record
from companion.vision.table_sets.table_set import is_table_set


@dataclass(frozen=True)
class BoardWish:
    """The game, and its edition where somebody named one or a record has one. ``why`` ends a sentence that says that pictures
    show another edition: what made it this one, or what to do."""

    game: Game
    edition: str | None
    why: str = ""

    @property
    def board(self) -> Board:
        """The board to look for where a source brings none of its own."""
        return self.game.board(self.edition or self.game.editions()[0])

    def check(self, shown: Board, source: str) -> None:
        """Raises BadInput where a source shows another game, or another edition than the one that counts."""
        if shown.id != self.game.id:
            raise BadInput(f"{source}: these pictures show {shown.name}; play it with --game {shown.id}")
        if self.edition not in (None, shown.edition):
            raise BadInput(f"{source}: these pictures show the edition {shown.edition}, not {self.edition}{self.why}")

    def beside(self, first: Board, source: str) -> "BoardWish":
        """What a second camera has to show: the board of the first one."""
        if self.edition is not None:
            return self
        advice = "" if is_table_set(Path(source)) else "; name the edition of both with --edition"
        return replace(self, edition=first.edition, why=f", as which {source} is read{advice}")


def choose(options: argparse.Namespace) -> BoardWish:
    """What ``--game``, ``--edition``, ``--board`` and ``--record`` mean together; ``board_named`` is false where the board is
    one that was kept with the record. Raises BadInput where they differ."""
    named, edition, why = options.game, options.edition, "; leave --edition out"
    if options.board is not None and not options.board_named:
        boards.adopt(options.board)  # the record says which of its editions is played
    elif options.board is not None:
        of_file, names = boards.adopt(options.board)
        if named not in (None, of_file):
            raise BadInput(f"--board {options.board}: is a board of {of_file}, not of {named}; leave --game out")
        if edition is not None and edition not in names:
            raise BadInput(f"--edition {edition}: {options.board} has only {', '.join(names)}; leave --edition or --board out")
        if edition is None:
            why = "; leave --board out"
        named, edition = of_file, edition or names[0]
    held = begun(options.record) if options.record is not None else None
    if held is not None:
        if named not in (None, held[0]):
            raise BadInput(f"{options.record}: is a record of {quoted(held[0])}, not of {quoted(named)}")
        game = games.load(held[0])
        if edition not in (None, held[1]):
            raise BadInput(f"{options.record}: its game is played on the edition {held[1]}, not on {edition}{why}")
        _known(game, held[1], options.record)
        return BoardWish(game, held[1], f", on which the game of {options.record} is played")
    game = games.load(named or games.DEFAULT)
    if edition is not None and edition not in game.editions():
        raise BadInput(f"edition {quoted(edition)} is not known; there are: {', '.join(game.editions())}")
    return BoardWish(game, edition, why)


def begun(record: Path) -> tuple[str, str] | None:
    """Game and edition of the match in a record; None where none was begun. Raises BadInput for one that cannot be read."""
    if not record.exists():
        return None
    with Record.read(record) as kept:
        first = next(iter(kept.events()), None)
    if first is None:
        return None
    if not {"game", "edition"} <= first.data.keys():
        raise InvalidRecord(f"{record}: the record begins with {quoted(first.kind)}, not with a match")
    return str(first.data["game"]), str(first.data["edition"])


def _known(game: Game, edition: str, record: Path) -> None:
    if edition not in game.editions():
        raise BadInput(
            f"{record}: its game is played on the edition {quoted(edition)}, a board of its own; name its file with --board"
        )
