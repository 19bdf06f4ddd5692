"""The mat of Get Adler!: its zones, and the cards that can be counted on a copy."""

from collections import Counter
from itertools import combinations

from companion import boards, games
from companion.boards import start_faults
from companion.games.get_adler.names import COPIES, KINDS, ROLES
from companion.vision.reading import Reading, Sighting

BOARD, PIECES = boards.load("get-adler"), boards.load_pieces("get-adler")


def test_cards_of_each_kind_are_as_many_as_six_players_need() -> None:
    kinds = Counter(piece.faces[0] for piece in PIECES.in_group("cards"))
    assert kinds == COPIES[6] and tuple(kinds) == KINDS and kinds.total() == 90
    assert tuple(piece.id for piece in PIECES.in_group("roles")) == ROLES
    assert len(PIECES.in_group("hours")) == len(BOARD.places_of("hour")) == 7
    assert start_faults(BOARD, PIECES) == []


def test_copies_of_a_kind_share_their_marker_and_backs_tell_nothing() -> None:
    for kind in KINDS:
        carrying = {number for number, sticker in PIECES.stickers.items() if sticker.face == kind}
        assert len(carrying) == 1, kind
    backs = [sticker for sticker in PIECES.stickers.values() if sticker.face == "back"]
    assert sorted(len(sticker.pieces) for sticker in backs) == [6, 90]


def test_a_claim_names_kinds_and_never_copies_however_many_there_are() -> None:
    for piece in PIECES.in_group("cards"):
        for face in piece.faces:
            seen = Reading((Sighting(piece.id, "pile", face, rank=0),)).state(BOARD, PIECES)
            assert seen["cards"] == {"pile": [face]}, piece.id
    assert Reading((Sighting("adler", "role-1", "up", rank=0),)).state(BOARD, PIECES)["roles"] == {"role-1": ["adler"]}


def test_no_marker_is_of_another_game() -> None:
    others = {number for game in games.available() if game != BOARD.id for number in games.load(game).pieces().marker_ids}
    assert not PIECES.marker_ids & others and max(PIECES.marker_ids) < 250


def test_every_seat_has_its_zones_apart_from_each_other_and_hands_lie_off_the_mat() -> None:
    assert {zone.kind for zone in BOARD.zones.values()} == {"deck", "pile", "place", "role", "hand"}
    for seat in range(1, 7):
        assert {f"place-{seat}", f"role-{seat}", f"hand-{seat}"} <= BOARD.zones.keys()
    for one, other in combinations(BOARD.zones.values(), 2):
        (left, top, right, bottom), (x0, y0, x1, y1) = one.box, other.box
        assert right <= x0 or x1 <= left or bottom <= y0 or y1 <= top, (one.id, other.id)
    width, height = BOARD.size_mm
    for zone in BOARD.zones.values():
        left, top, right, bottom = zone.box
        on_the_mat = left >= 0 and top >= 0 and right <= width and bottom <= height
        assert on_the_mat != zone.masked and zone.masked == (zone.kind == "hand")
        beside = [marker.centre_mm for marker in PIECES.frame_markers.values()]
        assert all(zone.inside_mm(centre) < -8 for centre in beside), zone.id
