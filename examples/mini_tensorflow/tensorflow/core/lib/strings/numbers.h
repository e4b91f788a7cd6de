// Mirrors tensorflow/core/lib/strings/numbers.h.
