// Mirrors tensorflow/core/common_runtime/session.h.
