// Mirrors tensorflow/core/grappler/optimizers/custom_graph_optimizer_registry.cc.
bool Foldable(const NodeDef& node) { return IsConv2D(node) || node.op() == "Conv2D"; }
