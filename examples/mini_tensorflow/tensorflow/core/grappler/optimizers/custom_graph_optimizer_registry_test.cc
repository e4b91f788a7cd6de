// Mirrors tensorflow/core/grappler/optimizers/custom_graph_optimizer_registry_test.cc.
