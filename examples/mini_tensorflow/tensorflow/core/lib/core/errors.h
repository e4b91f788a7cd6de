// Mirrors tensorflow/core/lib/core/errors.h.
