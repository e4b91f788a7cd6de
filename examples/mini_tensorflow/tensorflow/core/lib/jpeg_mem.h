// Mirrors tensorflow/core/lib/jpeg_mem.h.
