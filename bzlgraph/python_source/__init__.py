"""Python sources, read without running them: what every static reader of Python needs, whatever its question.

bytes -> a syntax tree of any version of Python -> statements, definitions, imports, parameters and literal texts.
"""
