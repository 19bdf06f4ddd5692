"""The page beside the table: a Flask application over one running table. It shows and asks; it decides nothing."""
