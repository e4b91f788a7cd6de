"""The functions of the query language, by what they do; ``signatures`` tells their arguments."""
