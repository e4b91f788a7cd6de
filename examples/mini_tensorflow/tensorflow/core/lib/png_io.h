// Mirrors tensorflow/core/lib/png_io.h.
