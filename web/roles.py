"""Which role may use which address and give which answer: two tables, and what the game on adds to them.

Roles are capabilities: the screen that all share, a seat, arbiter, spectator, camera, owner. Which seats there are, what they
answer and which of them have secrets or keep notes is the game's to say (:class:`Rights`). What is not listed is refused.
``PUBLIC`` is what somebody needs before he has a role: the way in, and the files the way in is drawn with. The page opened on
this machine without a link, while nobody else can reach it, is table, arbiter and owner. The owner's link, handed out by nobody
but the prompt, is all three as well: who holds it sets the table up.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from companion.games.game import Game
from companion.games.seats import sole

TABLE, ARBITER, SPECTATOR = "table", "arbiter", "spectator"
CAMERA = "camera"  # a phone that only sends pictures, and sees nothing
OWNER = "owner"  # sets the table up: opens cameras and files of this machine
PUBLIC = "public"
LOCAL = frozenset({TABLE, ARBITER, OWNER})

# What a seat of the game on can: play, keep secrets, keep notes.
SEAT, SECRETS, NOTES = "seat", "secrets", "notes"
CAPABILITIES = frozenset({SEAT, SECRETS, NOTES})

_ALL = frozenset({TABLE, SEAT, ARBITER, SPECTATOR})
_ANYBODY = _ALL | {CAMERA, PUBLIC}
_HOSTS = frozenset({TABLE, ARBITER})
_PLAYERS = frozenset({TABLE, SEAT, ARBITER})

# By endpoint: the blueprint's name and the function's.
ROUTES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "static": _ANYBODY,
        "words.texts": _ANYBODY,
        "pages.icon": _ANYBODY,
        "pages.join": _ANYBODY,
        "trust.page": _ANYBODY,
        "trust.certificate": _ANYBODY,
        "seats.session": _ANYBODY,
        "pages.table": _ALL,
        "pages.overlay": frozenset({TABLE, ARBITER, SPECTATOR}),
        "api.snapshot": _ALL,
        "api.board": _ALL,
        "stream.events": _ALL,
        "api.picture_jpg": _HOSTS,
        "api.kept": _HOSTS,
        "api.report": _HOSTS,
        "api.answers": _PLAYERS,
        "seats.passes": _HOSTS,
        "seats.issue": _HOSTS,
        "seats.revoke": _HOSTS,
        "seats.renew": _HOSTS,
        "boxes.status": _PLAYERS,
        "boxes.press": _PLAYERS,
        "boxes.assign": _HOSTS,
        "boxes.look": _HOSTS,
        "boxes.shuffle": frozenset({TABLE, SECRETS, ARBITER}),
        "boxes.labels": frozenset({TABLE, SECRETS}),
        "lobby.page": frozenset({OWNER}),
        "lobby.shown": frozenset({OWNER}),
        "lobby.do": frozenset({OWNER}),
        "lobby.picture_jpg": frozenset({OWNER}),
        "lobby.cameras": frozenset({OWNER}),
        "lobby.stickers": frozenset({OWNER}),
        "lobby.mat": frozenset({OWNER}),
        "hearing.status": _PLAYERS,
        "hearing.hear": _PLAYERS,
        "phone.page": _HOSTS | {CAMERA},
        "phone.picture": _HOSTS | {CAMERA},
        "seats.notes": frozenset({NOTES}),
        "seats.note": frozenset({NOTES}),
    }
)

# By kind of answer, those that any game takes. The arbiter rules, and is told no secret; the table is the screen all share.
_ANSWERS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "choose": _PLAYERS,
        "guide": _HOSTS,
        "correct": _HOSTS,
        "undo": _HOSTS,
        "deal": _HOSTS,
        "accept": frozenset({ARBITER}),
        "rule": frozenset({ARBITER}),
        "clock": _PLAYERS,  # within bounds: may_move_clock
        "entrust": frozenset({TABLE, SECRETS}),
        "seal": frozenset({TABLE, SECRETS}),
        "reveal": frozenset({TABLE, SECRETS}),
    }
)

# What an answer may carry. Anything else is refused, so that a slip of the pen is not silently ignored.
_FIELDS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "choose": frozenset({"alternative"}),
        "guide": frozenset(),
        "correct": frozenset({"subject", "place", "side", "facing", "label", "rank", "cards", "also"}),
        "undo": frozenset(),
        "deal": frozenset(),
        "accept": frozenset({"reason", "character"}),
        "rule": frozenset({"action", "reason", "against", "to", "position"}),
        "clock": frozenset({"action", "seconds", "budgets", "increment", "delay", "role", "reason"}),
        "entrust": frozenset({"seat", "purpose"}),
        "seal": frozenset({"seat", "purpose", "commitment"}),
        "reveal": frozenset({"seat", "purpose", "opened"}),
    }
)
SECRET_ANSWERS = frozenset({"entrust", "seal", "reveal"})

# Seconds a spectator may be behind. Few, since each keeps a past of its own length.
DELAYS = (0, 15, 30, 60, 120, 300)


@dataclass(frozen=True, slots=True)
class Rights:
    """Who may what while one game is on.

    ``seats``: its seats, in the order in which they are offered; ``roles``: those and the others; ``answers``: by kind the
    roles and capabilities that may give it; ``fields``: what it may carry; ``signed``: kinds that reach the game with the seat
    that gave them; ``able``: what each seat can.
    """

    seats: tuple[str, ...]
    roles: tuple[str, ...]
    answers: Mapping[str, frozenset[str]]
    fields: Mapping[str, frozenset[str]]
    signed: frozenset[str]
    able: Mapping[str, frozenset[str]]

    def held_by(self, role: str) -> frozenset[str]:
        """The roles of somebody whose pass names a role: its own with what it can, and the owner's sits at the table and rules
        as well. A seat that the game on does not have is nobody's."""
        if role == OWNER:
            return LOCAL
        return frozenset({role}) | self.able.get(role, frozenset()) if role in self.roles else frozenset()

    def may_answer(self, roles: frozenset[str], kind: str) -> bool:
        """Whether somebody of these roles may give an answer of this kind."""
        return bool(self.answers.get(kind, frozenset()) & roles)

    def may_hand_out(self, roles: frozenset[str], role: str) -> bool:
        """Whether somebody of these roles may give and take links of another role."""
        if ARBITER in roles and role in self.roles and role != OWNER:
            return True
        return TABLE in roles and role in (TABLE, *self.seats, SPECTATOR, CAMERA)


def rights_of(game: Game) -> Rights:
    """Who may what while this game is on."""
    secrets = {seat for one in game.purposes for seat in (game.seats if one.seat is None else (one.seat,))}
    alone = sole(game.purposes)
    answers, fields = dict(_ANSWERS), dict(_FIELDS)
    for own in game.answer_kinds:
        seats = frozenset({SEAT}) if own.seats is None else frozenset(own.seats)
        answers[own.kind] = seats | ({TABLE} if own.table else set()) | ({ARBITER} if own.arbiter else set())
        fields[own.kind] = own.fields
    if alone is not None:
        fields |= {
            "entrust": frozenset({alone.key}), "seal": frozenset({"commitment"}), "reveal": frozenset({alone.key, "nonce"}),
        }  # fmt: skip
    else:
        fields["entrust"] |= {"value"}
        fields["rule"] |= {"seat", "purpose"}
    able = {
        seat: frozenset({SEAT, *([SECRETS] if seat in secrets else []), *([NOTES] if seat in game.notes else [])})
        for seat in game.seats
    }
    roles = (TABLE, *game.seats, ARBITER, SPECTATOR, CAMERA, OWNER)
    signed = frozenset(own.kind for own in game.answer_kinds if own.signed) | (SECRET_ANSWERS if alone is None else frozenset())
    return Rights(game.seats, roles, MappingProxyType(answers), MappingProxyType(fields), signed, MappingProxyType(able))


def may_visit(roles: frozenset[str], endpoint: str) -> bool:
    """Whether somebody of these roles may use an address."""
    return bool(ROUTES.get(endpoint, frozenset()) & roles)


def may_move_clock(roles: frozenset[str], action: object, *, picks: str | None, set_already: bool, arbiter_here: bool) -> bool:
    """Whether somebody of these roles may say this about the players' clocks. ``picks``: the side whose pick it is.

    The arbiter may everything, and once he has come in nobody else says anything. Before, the table sets clocks where there
    are none, and holds them and lets them go on; so may the side whose pick it is. Times are changed by the arbiter only.
    """
    if ARBITER in roles:
        return True
    if arbiter_here or action not in ("start", "hold", "go"):
        return False
    if TABLE in roles:
        return action != "start" or not set_already
    return action != "start" and picks in roles
