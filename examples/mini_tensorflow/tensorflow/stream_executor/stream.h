// Mirrors tensorflow/stream_executor/stream.h.
