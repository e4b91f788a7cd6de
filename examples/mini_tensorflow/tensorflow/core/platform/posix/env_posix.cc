// Mirrors tensorflow/core/platform/posix/env_posix.cc.
