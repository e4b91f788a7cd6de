// Mirrors tensorflow/cc/framework/gradients.h.
