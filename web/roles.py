"""Which role may use which address and give which answer: the whole of it, in two tables.

What is not listed is refused. ``PUBLIC`` is what somebody needs before he has a role: the way in, and the files the way
in is drawn with. The page opened on this machine without a link, while nobody else can reach it, is table, arbiter and
owner. The owner's link, handed out by nobody but the prompt, is all three as well: who holds it sets the table up.
"""

from collections.abc import Mapping
from types import MappingProxyType

TABLE, JACK, DETECTIVE, ARBITER, SPECTATOR = "table", "jack", "detective", "arbiter", "spectator"
CAMERA = "camera"  # a phone that only sends pictures, and sees nothing
OWNER = "owner"  # sets the table up: opens cameras and files of this machine
ROLES = (TABLE, JACK, DETECTIVE, ARBITER, SPECTATOR, CAMERA, OWNER)
PUBLIC = "public"
LOCAL = frozenset({TABLE, ARBITER, OWNER})

_ALL = frozenset({TABLE, JACK, DETECTIVE, ARBITER, SPECTATOR})
_ANYBODY = _ALL | {CAMERA, PUBLIC}
_HOSTS = frozenset({TABLE, ARBITER})
_PLAYERS = frozenset({TABLE, JACK, DETECTIVE, ARBITER})

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
        "boxes.shuffle": frozenset({TABLE, JACK, ARBITER}),
        "boxes.labels": frozenset({TABLE, JACK}),
        "lobby.page": frozenset({OWNER}),
        "lobby.shown": frozenset({OWNER}),
        "lobby.do": frozenset({OWNER}),
        "lobby.picture_jpg": frozenset({OWNER}),
        "lobby.cameras": frozenset({OWNER}),
        "lobby.stickers": frozenset({OWNER}),
        "hearing.status": _PLAYERS,
        "hearing.hear": _PLAYERS,
        "phone.page": _HOSTS | {CAMERA},
        "phone.picture": _HOSTS | {CAMERA},
        "seats.notes": frozenset({DETECTIVE}),
        "seats.note": frozenset({DETECTIVE}),
    }
)

# By kind of answer. The arbiter rules, and is told no secret; the table is the screen all players share.
ANSWERS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "call": frozenset({TABLE, JACK, ARBITER}),
        "recall": frozenset({TABLE, JACK, ARBITER}),
        "choose": _PLAYERS,
        "guide": _HOSTS,
        "correct": _HOSTS,
        "undo": _HOSTS,
        "cards": _HOSTS | {DETECTIVE},
        "deal": _HOSTS,
        "accept": frozenset({ARBITER}),
        "rule": frozenset({ARBITER}),
        "clock": _PLAYERS,  # within bounds: may_move_clock
        "entrust": frozenset({TABLE, JACK}),
        "seal": frozenset({TABLE, JACK}),
        "reveal": frozenset({TABLE, JACK}),
    }
)

# By role: the roles it may hand out links for, and take them back.
HANDS_OUT: Mapping[str, frozenset[str]] = MappingProxyType(
    {TABLE: frozenset({TABLE, JACK, DETECTIVE, SPECTATOR, CAMERA}), ARBITER: frozenset(ROLES) - {OWNER}}
)

# Seconds a spectator may be behind. Few, since each keeps a past of its own length.
DELAYS = (0, 15, 30, 60, 120, 300)


def held_by(role: str) -> frozenset[str]:
    """The roles of somebody whose pass names a role: its own, and the owner's sits at the table and rules as well."""
    return LOCAL if role == OWNER else frozenset({role})


def may_visit(roles: frozenset[str], endpoint: str) -> bool:
    """Whether somebody of these roles may use an address."""
    return bool(ROUTES.get(endpoint, frozenset()) & roles)


def may_answer(roles: frozenset[str], kind: str) -> bool:
    """Whether somebody of these roles may give an answer of this kind."""
    return bool(ANSWERS.get(kind, frozenset()) & roles)


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


def may_hand_out(roles: frozenset[str], role: str) -> bool:
    """Whether somebody of these roles may give and take links of another role."""
    return any(role in HANDS_OUT.get(own, frozenset()) for own in roles)
