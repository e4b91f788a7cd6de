"""What the text of PyTorch's C++ says: functions and where they are, what they call, and under which conditions."""
