// Mirrors tensorflow/core/profiler/internal/tfprof_stats.cc.
