"""Read a copy that wears stickers: ArUco markers on the table and on every piece."""
