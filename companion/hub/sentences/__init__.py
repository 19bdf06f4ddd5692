"""Sentences of the hall that people read, kept together so that the catalogues of words find them."""
