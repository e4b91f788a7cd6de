// Mirrors tensorflow/contrib/lite/interpreter.cc.
