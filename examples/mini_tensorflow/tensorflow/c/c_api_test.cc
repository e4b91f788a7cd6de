// Mirrors tensorflow/c/c_api_test.cc.
