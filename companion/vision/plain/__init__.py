"""Read an unmodified copy: taught by two photographs, cell by cell."""
