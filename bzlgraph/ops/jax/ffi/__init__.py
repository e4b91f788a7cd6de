"""Custom calls: the handlers that C++ has, and the targets that C++ and Python register for them."""
