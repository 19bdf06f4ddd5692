"""What the games of Mr. Jack share: two sides, eight characters, one of them Jack. It has no module ``game`` and is no game."""
