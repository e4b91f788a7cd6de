"""Query text -> expression: the grammar's tree, regular expressions, and faults with their place."""
