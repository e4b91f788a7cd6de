"""Which repositories there are, and where the content of each comes from."""
