"""Methods of the plain types: one module per type, each a table from name to function."""
