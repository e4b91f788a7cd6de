// Mirrors tensorflow/core/grappler/utils.h.
