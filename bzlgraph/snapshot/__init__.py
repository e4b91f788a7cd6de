"""The graph of a checkout, kept from one question to the next: most questions are answered from it alone.

``make`` writes what a question loaded; ``answer`` answers a later one from it, before anything heavy is imported, when
nothing has changed that it was made from, and when it knows the question. Everything else goes the full way.
"""
