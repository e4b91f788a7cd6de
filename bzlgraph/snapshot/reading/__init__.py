"""The kept graph as a ``GraphView``, for questions that are asked of graphs: nothing is loaded for them."""
