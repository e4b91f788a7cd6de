// Mirrors tensorflow/cc/framework/scope.cc.
