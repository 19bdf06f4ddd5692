"""Encoded pictures: what a header says, what may be decoded, and picture files as frames."""
