// Mirrors tensorflow/core/platform/default/logging.h.
