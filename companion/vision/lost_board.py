"""A board that is not in sight: when that is said, and for which reason."""

import re

from companion.vision.frame_analysis import Notice


class LostBoard:
    """Follows one camera's losses. Each kind of reason is told once a loss, when it has stood for ``patience_s`` seconds."""

    def __init__(self, patience_s: float) -> None:
        self._patience_s = patience_s
        self._since: float | None = None
        self._kind, self._kind_since = "", 0.0
        self._told: set[str] = set()
        self._reason = ""

    @property
    def lost(self) -> bool:
        """Whether the board was out of sight in the last look, told or not."""
        return self._since is not None

    @property
    def reason(self) -> str:
        """The reason told last, while the board is lost; else empty."""
        return self._reason

    def miss(self, problems: tuple[str, ...], at: float) -> tuple[Notice, ...]:
        """A look at ``at`` seconds did not find the board, because of ``problems``: what is to be said now."""
        reason = "; ".join(problems)
        kind = re.sub(r"\d+", "", reason)  # how many markers or per cent are missing changes with every look
        if self._since is None:
            self._since = at
        if kind != self._kind:
            self._kind, self._kind_since = kind, at
        # Reasons that take turns must not keep the loss itself from being told.
        since = self._kind_since if self._told else self._since
        if kind in self._told or at - since < self._patience_s:
            return ()
        self._told.add(kind)
        self._reason = reason
        return (Notice("board-lost", "{reason}", {"reason": reason}),)

    def find(self) -> tuple[Notice, ...]:
        """A look found the board: what is to be said now."""
        told = bool(self._told)
        self._since, self._kind, self._reason = None, "", ""
        self._told.clear()
        return (Notice("board-back", "The board is found again."),) if told else ()
