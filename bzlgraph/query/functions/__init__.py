"""The functions of the query language, by what they do; ``table`` joins them, ``signatures`` tells their arguments."""
