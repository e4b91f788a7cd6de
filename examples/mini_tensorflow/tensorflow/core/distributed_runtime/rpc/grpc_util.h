// Mirrors tensorflow/core/distributed_runtime/rpc/grpc_util.h.
