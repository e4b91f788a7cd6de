"""What a configure script asks and writes, read from its Python: nothing is run.

Source text -> ``reader.read`` -> ``Transcript``: each question with its variable, each line that may be written to a
.bazelrc, and under which answers.

Theory of operation: the script is walked from its ``__main__`` block as a symbolic run. A value is a set of cases, each
with a guard: under which answers and facts it holds. An environment variable, and the answer to the question that asks
for it, are one symbol with seven states (set or asked; yes, no, something else; or just Enter). At an ``if`` both sides
are walked, each under its guard, and joined; a loop is walked once; functions are entered where they are called. So
that "yes writes this, no writes that" comes out of the functions' own bodies, whatever they are called.
What is not known (``which('gcc')``) is a value with a text, and a symbol of its own in a guard.
"""
