"""Which source files back a framework's op: from a public Python name, an op name or a file to all the others.

One tracer per framework (``tracer.py`` has the interface, ``frameworks.py`` the table); what they find are the frozen
values of ``model.py``.
"""
