"""What is said of the cards that are known to lie on the mat: claims, doubts, and which card lies upmost."""

from collections.abc import Mapping, Sequence

from companion.boards import Group, Zone
from companion.vision.cards.deck import Deck
from companion.vision.cards.memory import CardMemory, LyingCard
from companion.vision.frame import Frame
from companion.vision.observation import Top
from companion.vision.reading import Reading, Sighting, about_place


def reading_of(frame: Frame, memory: CardMemory, deck: Deck, zones: Sequence[tuple[Zone, Group]]) -> Reading:
    """What is claimed and doubted of ``zones``, each with the group that is spoken of there."""
    sightings: list[Sighting] = []
    groups = {zone.id: group for zone, group in zones}
    unknown = {about_place(zone, groups[zone]): why for zone, why in memory.doubts.items()}
    problems = list(memory.doubts.values())
    pieces = deck.told_apart(memory.cards)
    for zone, group in zones:
        stack = zone.order == "stack"
        for rank, card in enumerate(_shown(zone, memory)):
            face, piece = deck.faces[card.face], pieces.get(id(card))
            if piece is None:
                count = sum(other.face == card.face for other in memory.cards)
                why = f"{count} cards that show {face.name} were laid, the deck has {len(face.pieces)}: one was read wrongly"
                unknown.setdefault(about_place(zone.id, group), why)
                problems.append(why)
                continue
            at, among = (card.pose.x, card.pose.y), face.pieces if face.shared else ()
            sightings.append(
                Sighting(
                    piece,
                    zone.id,
                    face.side,
                    None,
                    card.confidence,
                    None if stack else at,
                    None,
                    among,
                    rank if stack else None,
                )
            )
    return Reading(tuple(sightings), unknown, tuple(dict.fromkeys(problems)), True, frame.captured_at, frame.source)


def _shown(zone: Zone, memory: CardMemory) -> list[LyingCard]:
    """The cards of a zone that are claimed, lowest first: all that were followed since they landed, covered or not; of a stack
    only those above the upmost that was never told, for what lies below that is not known in full."""
    lying = [card for card in memory.cards if card.zone == zone.id]
    return lying[memory.buried.get(zone.id, 0) :] if zone.order == "stack" else lying


def tops(memory: CardMemory, deck: Deck) -> Mapping[str, Top]:
    """The upmost card of each zone of which nothing is in doubt."""
    lying = {card.zone: card for card in memory.cards if card.zone not in memory.doubts}
    return {zone: Top((card.pose.x, card.pose.y), not deck.faces[card.face].back) for zone, card in sorted(lying.items())}
