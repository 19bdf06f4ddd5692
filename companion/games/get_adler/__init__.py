"""Get Adler!: 4 to 6 players, one or two villains among them, seven hours. Rules that are asked without a table, and refereed.

The formats:

* A **position** is the public table as one JSON object: ``players``, ``variant``, ``rules`` (house rules that differ from the
  default), ``hour``, ``start`` (the seat that laid the first hour marker), ``seat`` (whose turn it is), ``step``, ``passed``,
  ``seats`` (one a player, clockwise), ``deck`` (a count), ``discard`` (bottom to top; ``"unknown"`` is a card), ``revealed``,
  ``wanted`` (expert: the service of the document), ``pending``, ``confrontation``, ``answers``, ``over``. :mod:`.reading`.
* ``secret`` beside it holds what the table hides: ``roles``, ``hands``, ``deck`` (top first), ``seed`` and ``shuffles``
  (chance), ``removed``, and ``traits``, the owner's table of the colours of each role. Every part is optional, an empty list
  is an unknown one.
* An **act** is what one seat does (:mod:`.acts`), as JSON ``{"act": "match", "seat": 0, "card": "escape-bus"}`` and as one
  line, ``match 0 card=escape-bus``. What goes face down (``give``, ``pass``, ``return``) names its card only
  where hands are known.
* ``pending`` is what a card has begun: ``card``, ``by``, ``target``, of a question ``trait`` and ``colour``; ``taken`` (cards
  to be given back), ``told`` (villains who showed no document), ``apart`` (an accusing arrest lies before its suspect, not on
  the pile).
* ``moves`` answers ``{"acts"}``; ``explain`` ``{"verdict", "acts", "faults", "ask"}`` (codes: :mod:`.faults`); ``deduce``
  ``{"roles": [[role, …] a seat], "villain": [true, false or null a seat], "deals": ways to deal the roles, "judged": whether a
  trait table was there}``.
* ``expects`` (:mod:`.expecting`) lists the acts, ``fold`` (:mod:`.folding`) takes a public table over one act, and ``apply``
  (:mod:`.secrets`) does so for table and secret. The public half never looks at the secret.
"""

from companion.games.get_adler.game import GAME

__all__ = ["GAME"]
