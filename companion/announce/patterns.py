"""Finished English sentences that arrive with their words already in them, and sentences that count something.

A camera's doubt or a refused answer reaches us as one line. ``PATTERNS`` tells how such a line was made, so that it can be
taken apart and told anew; a test holds every line of the sources against this list. ``PLURALS`` names, for a template
with a number in it, the template for one and the word that counts.
"""

from collections.abc import Mapping
from types import MappingProxyType

from companion.announce.patterns_of_rooms import CALIBRATION, DEVICES, HOST, POSITIONS

VISION = (
    "the picture is {width}x{height}; at least {least} pixels on the short side are needed",
    "the picture is black: is the lens covered, or the light off?",
    "the picture is white: it is overexposed",
    "the picture is one flat colour: nothing shows in it",
    "the picture is torn: its lower {share} % did not arrive",
    "the marker of {name} is seen {count} times (near {where})",
    "the marker of {name} lies {where}",
    "between {one} and {other}",
    "on {place} ({kind}); allowed: {kinds}",
    "{name} on {place} faces between two directions",
    "{names} are both seen on {place}",
    "the board is not found: the frame markers seen ({markers}) contradict each other",
    "the board is not found: {count} of the frame markers {wanted} seen, at least 2 are needed",
    "a disc hides whether a {kind} lies on {place}",
    "another piece hides whether a {kind} lies on {place}",
    "another piece hides which side of the {kind} on {place} is up",
    "another piece may lie on it",
    "its marker was not found: {why}",
    "it is nowhere in sight",
    "{place} lies outside the picture",
    "{place} is too small in the picture",
    "something hides {place}",
    "a {kind} is missing, and what the bare board looks like at {place} is not known",
    "{what} at {place} ({share})",
    "it may lie",
    "its side cannot be told: it lies",
    "it lies at {place}, but which way it faces cannot be told",
    "it is not in sight: {why}",
    "{count} cells are hidden",
    "something that is no known piece lies on the board",
    "it was not recognised",
    "{what} may lie at {place}, but which cannot be told",
    "something",
    "there is no further {kind} to lie at {place}",
    "{place} is hidden",
    "the {kind} marker is not clearly in sight",
    "a {kind} is missing and may lie at {place}",
    "a {kind} is nowhere in sight",
    "{place} looks like no other place of its kind, and was never shown bare",
    "the board is not in sight",
    "{camera} sees {this}, {other} sees {that}",
)

GAMES = (
    "game {given} is not known; there are: {names}",
    "house rule {rule}: {given} is not a choice; there are: {names}",
    "the boards differ: {one} before, {other} after",
    "{name} cannot be played now; {why}",
    "left to play: {names}",
    "all four characters of this turn were played",
)
"""What the rules refuse before anything is judged."""

REFEREE = (
    "answer {kind} is not known; there are: {kinds}",
    "the game is adjourned; it has to be resumed first",
    "Jack cannot be {word}: no suspect is {same} now, so somebody erred; nothing was recorded",
    "a call says 'seen': true or false, not {given}",
    "nobody asked for the witness call now",
    "there is nothing to choose from now",
    "alternative {given} is not one of 0 to {last}",
    "that explanation can no longer be taken; undo the play instead",
    "nothing was seen yet that could be corrected",
    "there is no play in this turn to take back; a witness call or an earlier turn stays as it is",
    "the pick has passed on since; only the arbiter may take the play back",
    "a card was drawn with that play; only the arbiter may take it back",
    "cards are told while a turn is being played",
    "a turn has {count} different cards out of {names}; this says {given}",
    "{names} was already played this turn, so its card is among them",
    "this turn's cards are known: {names}",
    "there is no table to accept now",
    "not everything can be seen: {names}",
    "the table already shows what is on record",
    "the table cannot be accepted as it is: {why}",
    "{name} cannot have been played now",
    "ruling {given} is not known; there are: adjourn, resume, penalty (and the answer 'accept')",
    "a ruling needs a reason",
    "the game is adjourned already",
    "the game is not adjourned",
    "a penalty is against one of {roles}, not {given}",
    "{given} is not a character; there are: {names}",
    "Jack's identity was opened already",
    "nobody asked who Jack is",
    "{name} was cleared by a witness call, so somebody erred",
    "only Jack himself may leave, and {name} is not Jack: take the play back",
    "the game is not over by this play",
    "this does not open the commitment: another character, or other random bytes",
    "Jack's secret is in safe hands already",
    "the game is over",
    "Jack has sealed his secret in this game; it stays sealed",
    "{name} was cleared by a witness call and cannot be Jack",
    "a correction names its subject, a piece; this one says {given}",
    "{given} is not a place on this board",
    "{name}: facing {given} is not one of {allowed}",
    "{name}: side {given} is not one of {allowed}",
    "the {kind} marker cannot lie on {place}",
    "{name}: say which one lies there ('label': {labels})",
    "{given} names no piece of this table; there are: {names}",
    "position: {why}",
    "{name}: stands on no hex",
    "{names} stand on one hex, {place}",
    "{name}: stands on {place}, which is {kind}, not {what}",
    "{key}: {count} of them, but there are always {always}",
    "{key}: {count} on {place}",
    "the clocks cannot {given}; there are: {first}, {second}, {third}, {fourth}",
    "cards are dealt when a turn begins and nobody knows them yet",
    "ruling {given} is not known; there are: {kinds}",
    "Jack's identity was opened; the game cannot be taken back any more",
    "the game can be taken back to events {numbers}, not to {given}",
    "that is where the game stands",
    "a position is set while a game is being played",
    "say which position, as JSON",
    "this game is played on the board {edition}, not {given}",
    "the characters played this turn stay as they are, or none was played yet",
    "no clocks are set in this game",
    "the clocks are the arbiter's",
    "a word about running clocks needs a reason",
    "a clock is one of {roles}, not {given}",
    "clocks are set for {roles}",
    "{key}: seconds from {least} to {most} are allowed, not {given}",
)

SOURCES = (
    "{camera} cannot be both cameras: name another source for the second",
    "{source}: cannot be opened (tried {tried} with V4L2); {advice}",
    "{source}: gives no more pictures (unplugged or taken by another program)",
    "{source}: gave a picture that cannot be decoded",
    "{source}: no stream within {seconds} s (tried RTSP over TCP with FFmpeg)",
    "{source}: the stream broke off",
    "{source}: the stream gave a picture that cannot be decoded",
    "{source}: empty picture (0 bytes)",
    "{source}: torn picture: it ends after {bytes} bytes without its end mark",
    "{source}: cannot be decoded as a picture ({bytes} bytes)",
    "{source}: the stream ended",
    "{source}: cannot be reached within {seconds} s: {why}",
    "{source}: is not a video that can be opened",
    "{source}: none of its {count} pictures can be read",
    "{source}: holds no picture that can be decoded",
    "{source}: is unplugged",
    "a picture was left out: {why}",
    "{source}: the port went away while reading",
    "{source}: the port went away while writing",
    "{source}: torn picture: {bytes} of {all} bytes came",
    "the companion erred ({error}); the record is unharmed",
)

PAGE = (
    "this table is open to those who have a link",
    "the request cannot be read",
    "there is nothing at this address",
    "this address does not take that method",
    "the message is larger than an answer can be",
    "an answer must be sent as application/json",
    "the companion stumbled over this ({error})",
    "this is not for the {role}",
    "Kinds are: {kinds}.",
    "there is no answer of kind {kind}",
    "an answer of kind {kind} has no field {field}",
    "It takes: {fields}.",
    "there is no field {field} here",
    "the field {field} is of another type",
    "the field {field} is missing",
    "this page does not answer to the name {name}",
    "answers are not taken from pages of {name}",
    "the header {name} is missing",
    "Send {name}: 1 with every answer.",
    "all {count} places for watching are taken",
    "this view runs {seconds} seconds behind and begins in {rest} seconds",
    "there is no role {given}",
    "Roles are: {roles}.",
    "Seconds are: {seconds}.",
    "{given} is not the number of an event",
)

LOBBY = (
    "the table is still being set up",
    "the lobby cannot do {given}",
    "It can do: {words}.",
    "there is no such table on the shelf",
    "the table {name} cannot be read: set it up again",
    "a table's name has 1 to {count} letters",
    "the table cannot be kept ({why}): free some space or play without",
    "this camera needs an address: a number, a file, a folder, or rtsp://… or http://…",
    "there is no file or folder {given} on this computer",
    "the printed lines of the board are not where these corners put them: drag the corners again",
    "these are not the four corners of the board: give top left, top right, bottom right and bottom left of the frame line",
    "the picture of the {name} is only {width}x{height} pixels; at least {least} are needed",
    "the picture of the {name} is black: is the lens covered, or the light off?",
    "the picture of the {name} is white: lower the exposure",
    "the picture of the {name} shows one flat colour and no board",
    "the picture of the {name} is torn: its lower {share} % did not arrive: take it again",
    "empty board",
    "start position",
    "other sides",
    "the picture of the empty board is {one} pixels, that of the start position {other}: take both with the same camera "
    "settings",
    "the board is too small in the picture: a disc is {pixels} pixels wide, at least 30 are needed",
    "the start picture shows none of the pieces where the start position has them",
    "the start position was not found: between the two pictures the pieces of the start position, and nothing else, must have "
    "been put on the board, and the whole board must be in both pictures",
    "the start picture does not show the board of the empty picture",
    "{name} is not at {place}: it is missing in the start picture, or was there already in the empty one",
    "something lies at {place}, where the start position has nothing",
    "the picture of the other sides is of another shape than the first two: take all with the same camera",
    "the picture of the other sides does not show the board of the empty picture",
    "the start position of this game shows every side: no third picture is needed",
    "{name} is not at {place} in the picture of the other sides",
    "{name} at {place} looks as at the start in the picture of the other sides",
    "{name} lay there already in the picture of the empty board: take that picture again without any piece",
    "this dark board was taught by an older companion: teach it again to read its light pieces surely",
    "{name} was expected at {place} but is read at {other}",
    "{name} was expected to show the side {one} but shows {other}",
    "{name} was expected to face {one} but faces {other}",
    "the {kind} at {place} was expected to be {one} but reads {other}",
)
"""What setting a table up refuses or doubts: cameras that do not open, corners that are none, pictures that teach nothing."""

MADE_OF_WORDS = (
    "{name} {origin}→{to}",
    "{kind} {place}",
    "lantern of {name}",
    "next to {name}",
    "{one} and {other}",
    "a {kind}",
)
"""Reasons and pieces of lists: told anew only when their words are known, for they would fit nearly anything."""

PATTERNS = (
    *VISION, *GAMES, *REFEREE, *SOURCES, *PAGE, *LOBBY, *DEVICES, *HOST, *CALIBRATION, *POSITIONS, *MADE_OF_WORDS,
)  # fmt: skip

LISTS = ("the table cannot be accepted as it is: {why}", "position: {why}")
"""Those of them that end in a list of sentences, which may be long: taken apart first, then sentence by sentence."""

PLURALS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "{character} must whistle, before or after walking: bring others {points} steps nearer in all.": (
            "{character} must whistle, before or after walking: bring somebody {points} step nearer.",
            "points",
        ),
        "{character} whistled for {used} steps, {points} must be used: bring others nearer by the rest.": (
            "{character} whistled for {used} step, {points} must be used: bring others nearer by the rest.",
            "used",
        ),
        "Button box {box} could not keep {count} press(es): too many while nobody listened.": (
            "Button box {box} could not keep {count} press: too many while nobody listened.",
            "count",
        ),
        "{count} cells are hidden": ("{count} cell is hidden", "count"),
        "the board is not found: {count} of the frame markers {wanted} seen, at least 2 are needed": (
            "the board is not found: {count} of the frame markers {wanted} is seen, at least 2 are needed",
            "count",
        ),
    }
)
"""Template (its plural) to (template for one, the word that counts)."""
