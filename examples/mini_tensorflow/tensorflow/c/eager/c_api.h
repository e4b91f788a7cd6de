// Mirrors tensorflow/c/eager/c_api.h.
