// Mirrors tensorflow/core/grappler/optimizers/custom_graph_optimizer.h.
