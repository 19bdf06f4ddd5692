"""Table sets: pictures with their truth, what a set must satisfy, and how readings of it are counted."""
