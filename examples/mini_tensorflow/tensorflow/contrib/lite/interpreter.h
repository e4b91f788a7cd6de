// Mirrors tensorflow/contrib/lite/interpreter.h.
