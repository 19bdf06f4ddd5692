"""A table's side of the hall: its record is the outbox, rulings come back as answers. The game never waits for any of it."""
