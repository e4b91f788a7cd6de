"""Where a kernel does its work: the method that computes, what that calls, device code."""
