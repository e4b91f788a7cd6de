"""Fuzzing: random inputs for every reader and writer, within limits of time and memory.

``python -m tests.fuzz`` (``make fuzz``). ``mutate`` makes inputs of a corpus, ``targets`` says what reads them, ``run``
reads them in a process of its own, whose end tells what went wrong. ``starlark_programs`` and ``differential`` compare
Starlark with another interpreter of it.
"""
