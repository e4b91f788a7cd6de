"""What is computed of a whole graph: its components, what is on every way, its cycles."""
