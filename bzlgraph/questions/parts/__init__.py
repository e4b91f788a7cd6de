"""Which part of an answer is looked at."""
