// Mirrors tensorflow/core/platform/default/logging.cc.
