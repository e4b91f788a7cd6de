// Mirrors tensorflow/stream_executor/platform.h.
