"""Of which classes values are, as far as one can tell: arrays, numbers, texts."""
