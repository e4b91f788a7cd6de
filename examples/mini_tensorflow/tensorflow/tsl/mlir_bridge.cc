// Mirrors tensorflow/compiler/mlir: a second way through the compiler, built only when a flag asks for it.
#include "tensorflow/tsl/mlir_bridge.h"

namespace tensorflow {

bool RunMlirBridge() { return true; }

}  // namespace tensorflow
