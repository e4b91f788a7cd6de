// Mirrors tensorflow/stream_executor/cuda/cuda_driver.h.
