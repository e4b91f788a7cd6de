// Mirrors tensorflow/core/platform/test_main.cc.
