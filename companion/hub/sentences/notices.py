"""What a table says of its hall, each as one sentence: an event of its record like every other notice. Pure."""

from companion.devices.cameras.port import SourceNotice
from companion.hub.model import Trouble


def lost(why: str) -> SourceNotice:
    """The hall is not reached for a while."""
    text = "The hall is not reached ({why}). The game goes on; what it misses is sent later."
    return SourceNotice("hall-lost", text, {"why": why})


def back() -> SourceNotice:
    """It is reached again."""
    return SourceNotice("hall-back", "The hall is reached again and gets what it missed.")


def refuses(trouble: Trouble) -> SourceNotice:
    """The hall has something against what came."""
    return SourceNotice(f"hall-{trouble.code}", trouble.text, trouble.params)
