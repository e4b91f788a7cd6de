"""What an explorer walks in: the part of a graph that it holds, and in which configurations which conditions hold."""
