// Mirrors tensorflow/core/lib/core/status.h.
