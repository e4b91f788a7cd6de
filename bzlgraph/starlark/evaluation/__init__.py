"""One evaluation: the program, its thread, budget, call stack, and how it ends in problems."""
