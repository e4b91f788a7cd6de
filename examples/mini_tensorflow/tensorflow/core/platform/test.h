// Mirrors tensorflow/core/platform/test.h.
