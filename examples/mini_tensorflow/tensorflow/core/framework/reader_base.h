// Mirrors tensorflow/core/framework/reader_base.h.
#include "tensorflow/core/lib/core/status.h"
