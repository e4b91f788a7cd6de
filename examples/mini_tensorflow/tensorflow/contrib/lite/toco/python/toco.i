/* Mirrors tensorflow/contrib/lite/toco/python/toco.i. */
%include "toco_python_api.h"
