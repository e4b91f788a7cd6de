"""Answers -> text, rows, pictures and files, each form in a module of its own."""
