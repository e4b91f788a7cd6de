// Mirrors tensorflow/core/distributed_runtime/rpc/grpc_server_lib.h.
