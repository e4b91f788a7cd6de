"""Regular expressions as Java has them: what the words of a query are searched with."""
