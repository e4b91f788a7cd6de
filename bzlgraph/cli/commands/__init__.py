"""One module a command: its options, the question, the printed answer. Imported when the command runs."""
