"""What generated code calls: operators, access, iteration and calls. ``table.HELPERS`` names them for the compiler."""
