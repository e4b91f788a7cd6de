"""The answers of ``bzlgraph select``: text for people, and rows for everything else."""
