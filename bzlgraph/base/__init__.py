"""The bottom layer: labels, spans, diagnostics, errors, gaps. No I/O, no dependencies."""
