// Mirrors tensorflow/stream_executor/cuda/cuda_driver.cc.
