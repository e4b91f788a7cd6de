// Mirrors tensorflow/core/distributed_runtime/rpc/grpc_tensorflow_server.cc.
