/* Mirrors tensorflow/contrib/lite/python/interpreter_wrapper/interpreter_wrapper.i. */
%include "interpreter_wrapper.h"
