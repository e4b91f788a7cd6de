// Mirrors tensorflow/cc/framework/gradients.cc.
