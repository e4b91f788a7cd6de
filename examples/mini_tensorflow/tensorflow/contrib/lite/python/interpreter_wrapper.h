// Mirrors tensorflow/contrib/lite/python/interpreter_wrapper.h.
