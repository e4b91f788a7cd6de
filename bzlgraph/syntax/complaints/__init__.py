"""A token that cannot stand where it stands -> words for people."""
