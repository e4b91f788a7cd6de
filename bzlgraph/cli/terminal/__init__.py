"""What only somebody at a terminal gets: how far the work has come, and words that the shell completes."""
