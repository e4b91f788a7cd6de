"""Python sources read without running them: what a module defines, and which names each function uses."""
