"""The JSON Schema of every JSON answer: its shapes in a short notation, and what writes docs/schemas."""
