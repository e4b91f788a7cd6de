"""Libraries that are no part of the language: ``struct`` and ``json``."""
