// Mirrors tensorflow/contrib/lite/interpreter_test.cc.
