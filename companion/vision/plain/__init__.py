"""Read an unmodified copy: taught by two photographs, cell by cell.

Where to look, in the order in which a picture goes through:

* taught once: ``start`` and ``start_check`` (what lies where), ``start_change`` (what the second picture shows more),
  ``locating``, ``finder`` and ``teach`` (board and pieces found), ``exemplars`` (what is kept);
* where the board lies now: ``tracking``, by ``features``; its light and its bare print: ``surface``, ``prepared_image``,
  ``light_correction``; a picture without colour: ``colourless``;
* what covers it that is no piece: ``occlusion``;
* what is seen at each place: ``discs``, ``tiles`` with ``tile_features``, ``label_spot``, ``marks``, ``bare`` and ``texture``;
  gathered by ``evidence``, looked at again by ``cell_refinement``, shown to the networks by ``stacks`` and ``nets``, compared
  with a taught face where that fits best by ``face_alignment``; ``numbers`` reads figures;
* what that is worth: ``model``, ``posteriors``; who is where, by all places together: ``assignment``, ``judge``, ``claims``;
* which side of a disc is up: ``upper_side``, by odds fitted in ``logistic``;
* flat pieces that look alike or bear a number: ``flats_judge``; with sides, strips and single ones: ``sides`` with
  ``side_table``, ``cell_patches``, ``side_measures``, ``side_scores``, ``side_classifier``, ``tile_judge``, ``strips``,
  ``strip_judge``, ``lone_judge``;
* the whole look, and what the next one may go on from: ``reader``, ``memory``; every tunable: ``settings``.
"""
