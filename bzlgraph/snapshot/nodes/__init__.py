"""The nodes and edges of a kept graph: which lead to which, and what is known of each, by number."""
