// Mirrors tensorflow/core/debug/debug_graph_utils.h.
