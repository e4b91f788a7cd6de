"""What the tracers of ops answer, as text, JSON and breakpoints."""
