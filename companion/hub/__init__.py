"""A hall of tables: what collects the records of many tables, shows them together and sends rulings back."""
