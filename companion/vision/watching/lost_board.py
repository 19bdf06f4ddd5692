"""A board that is not in sight: when that is said, and for which reason."""

import re
from dataclasses import dataclass, replace

from companion.vision.watching.frame_analysis import Notice


@dataclass(frozen=True, slots=True)
class LostBoard:
    """One camera's losses. Each kind of reason is told once a loss, when it has stood for some seconds.

    ``since``: when the board went out of sight, None while it is seen; ``reason``: the one told last, while the board is lost;
    else empty. ``kind``: the reason without its numbers, since ``kind_since``; ``told``: the kinds told in this loss.
    """

    since: float | None = None
    kind: str = ""
    kind_since: float = 0.0
    told: frozenset[str] = frozenset()
    reason: str = ""

    @property
    def lost(self) -> bool:
        """Whether the board was out of sight in the last look, told or not."""
        return self.since is not None

    def miss(self, problems: tuple[str, ...], at: float, patience_s: float) -> tuple["LostBoard", tuple[Notice, ...]]:
        """A look at ``at`` seconds did not find the board, because of ``problems``: what is to be said now, once a reason has
        stood for ``patience_s``."""
        reason = "; ".join(problems)
        kind = re.sub(r"\d+", "", reason)  # how many markers or per cent are missing changes with every look
        since = at if self.since is None else self.since
        kind_since = self.kind_since if kind == self.kind else at
        missed = replace(self, since=since, kind=kind, kind_since=kind_since)
        # Reasons that take turns must not keep the loss itself from being told.
        if kind in self.told or at - (kind_since if self.told else since) < patience_s:
            return missed, ()
        told = replace(missed, told=self.told | {kind}, reason=reason)
        return told, (Notice("board-lost", "{reason}", {"reason": reason}),)

    def find(self) -> tuple["LostBoard", tuple[Notice, ...]]:
        """A look found the board: what is to be said now."""
        return LostBoard(), (Notice("board-back", "The board is found again."),) if self.told else ()
