"""Where the readers' networks and weights come from: made-up copies, training, fitting and judging. Not in the wheel.

*Made-up copies*: ``art`` and ``wild`` draw unmodified copies, ``second_sides`` families of other sides, ``board_art`` copies
with stickers; ``composed``, ``new_york_composed``, ``stickers_composed``, ``new_york_stickers`` and ``foreign_tokens`` make
pictures of them with their truth; ``trace_tables`` and ``trace_scene`` render path-traced tables (in a Python with Blender's
``bpy``).

*Training and fitting*: ``gather`` cuts patches out of pictures and ``gathered`` reads them, ``networks`` are the architectures,
``train_…`` train them (PyTorch, in an environment of its own), ``fit_…`` fit weights.

*Judging*: ``judge`` and ``judge_new_york`` count exact, wrong and unknown on copies that nothing was fitted on;
``camera_faults`` films a table through what cameras do by themselves, ``bent_boards`` reads boards that do not lie flat.
``ablate`` puts every setting out of action in turn;
``condition_coverage`` tells which conditions decided nothing while one of these ran.

Copies are named by seeds; which seeds are for fitting and which for judging only stands in each module. Every module is run as
``python -m companion.calibration.training.NAME``.
"""
