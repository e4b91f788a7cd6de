// Mirrors tensorflow/stream_executor/stream.cc.
