// Mirrors tensorflow/core/profiler/profiler.cc.
