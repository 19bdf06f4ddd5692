"""Digests as short words that people can read out, photograph and type: each word of five letters stands for 16 bits.

A word is consonant, vowel, consonant, vowel, consonant; consonants carry four bits, vowels two. The letters were chosen to
be told apart aloud and on a screen; no word can be taken for hexadecimal digits.
"""

from companion.errors import BadInput, quoted

_CONSONANTS = "bdfghjklmnprstvz"
_VOWELS = "iouy"
_BITS = 16


def words(digest: str, count: int = 4) -> str:
    """The first ``count`` words of a hex digest, joined by hyphens. Four are 64 bits: no second record begins so."""
    return "-".join(_word(int(digest[4 * index : 4 * index + 4], 16)) for index in range(count))


def hex_of(text: str) -> str:
    """The beginning of the digest that such words (or hex digits) stand for. Raises BadInput."""
    cleaned = text.strip().lower()
    if cleaned and not set(cleaned) - set("0123456789abcdef"):
        return cleaned
    said = [word for word in cleaned.replace(" ", "-").split("-") if word]
    if not said:
        raise BadInput("a head is some hexadecimal digits or words; nothing was given")
    return "".join(f"{_number(word, text):04x}" for word in said)


def _word(number: int) -> str:
    letters = []
    for bits, alphabet in ((12, _CONSONANTS), (10, _VOWELS), (6, _CONSONANTS), (4, _VOWELS), (0, _CONSONANTS)):
        letters.append(alphabet[number >> bits & len(alphabet) - 1])
    return "".join(letters)


def _number(word: str, text: str) -> int:
    number = 0
    if len(word) != 5:
        raise BadInput(f"{quoted(text)}: is neither hexadecimal digits nor words of five letters")
    for index, letter in enumerate(word):
        alphabet, bits = (_VOWELS, 2) if index % 2 else (_CONSONANTS, 4)
        if letter not in alphabet:
            raise BadInput(f"{quoted(text)}: no word has {quoted(letter)} as its letter {index + 1}")
        number = number << bits | alphabet.index(letter)
    return number
