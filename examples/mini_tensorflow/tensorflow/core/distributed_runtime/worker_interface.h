// Mirrors tensorflow/core/distributed_runtime/worker_interface.h.
