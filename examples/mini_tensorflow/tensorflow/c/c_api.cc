// Mirrors tensorflow/c/c_api.cc.
