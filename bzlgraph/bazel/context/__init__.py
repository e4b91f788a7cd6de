"""What an evaluation runs in: whose file it is, where its labels resolve, where gaps are noted."""
