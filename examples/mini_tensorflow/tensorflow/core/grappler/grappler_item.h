// Mirrors tensorflow/core/grappler/grappler_item.h.
