"""How a target is made: its attributes converted, its defaults, outputs and visibility, what macros add."""
