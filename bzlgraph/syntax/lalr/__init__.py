"""Text -> statements: the lexer, the LALR tables, the loop that runs them and the node makers it calls."""
