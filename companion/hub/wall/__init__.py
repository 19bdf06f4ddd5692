"""The pages of a hall: the arbiter's wall, the tables one by one, the event, and the archive; over
:class:`companion.hub.model.Hall`."""
