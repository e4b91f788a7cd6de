"""Defaults of options: what a user's file and a checkout's say -> words in front of what was typed.

A default is what would have been typed: everything behind, the kept answers and graphs too, sees a longer command line.
``docs/defaults.md`` tells people of it.
"""
