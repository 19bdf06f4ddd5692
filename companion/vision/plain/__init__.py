"""Read an unmodified copy: taught by two photographs, cell by cell.

Where to look, in the order in which a picture goes through:

* taught once: ``start`` (what lies where), ``finder`` and ``teach`` (board and pieces found), ``exemplars`` (what is kept);
* where the board lies now: ``tracking``; its light and its bare print: ``surface``, ``prepare``, ``following``;
* what covers it that is no piece: ``hidden``;
* what is seen at each place: ``discs``, ``tiles`` with ``tile_features``, ``spots``, ``marks``, ``bare`` and ``drawing``;
  gathered by ``evidence``, looked at again by ``closer``, shown to the networks by ``stacks`` and ``nets``; ``numbers``
  reads figures;
* what that is worth: ``model``, ``posteriors``; who is where, by all places together: ``assignment``, ``judge``, ``claims``;
* pieces with sides, strips and single ones: ``sides`` with ``ground``, ``side_measures``, ``side_scores``, ``strips``;
* the whole look, and what the next one may go on from: ``reader``, ``memory``; every tunable: ``settings``.
"""
