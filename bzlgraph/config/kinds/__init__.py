"""One module for each kind of setting: how its value is found and compared."""
