// Mirrors tensorflow/cc/framework/scope.h.
