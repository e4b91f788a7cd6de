// Mirrors tensorflow/core/grappler/grappler_item.cc.
