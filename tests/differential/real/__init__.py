"""Real Bazel, offline: where its programs come from, the stub repositories and modules it is given, and its recorded
answers."""
