// Mirrors tensorflow/c/c_api.h.
