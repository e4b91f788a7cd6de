"""What Bazel shows of a target: its attributes, places, edges and order, shared by all of Bazel's output formats."""
