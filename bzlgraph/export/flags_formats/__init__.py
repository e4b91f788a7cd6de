"""Answers of ``bzlgraph flags`` as rows and as text for people."""
