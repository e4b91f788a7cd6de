"""The answers of ``doctor``: as text for people, as rows for programs."""
