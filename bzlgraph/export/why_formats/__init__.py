"""The answer of ``bzlgraph why``: text for people, and data for JSON."""
