// Mirrors tensorflow/stream_executor/platform.cc.
