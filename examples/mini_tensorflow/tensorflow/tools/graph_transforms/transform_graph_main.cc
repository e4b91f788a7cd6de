// Mirrors tensorflow/tools/graph_transforms/transform_graph_main.cc.
