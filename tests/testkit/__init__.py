"""Small games of our own for the tests: each a package with board data, phrases and rules, as a game from outside would be."""
