"""From frames to settled readings: motion, still moments, a hand over the board, a camera or a board that was pushed, two
cameras on one table."""
