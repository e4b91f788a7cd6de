// Mirrors tensorflow/core/lib/gif_io.h.
