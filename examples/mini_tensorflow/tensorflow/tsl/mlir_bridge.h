// Mirrors tensorflow/compiler/mlir: a second way through the compiler, built only when a flag asks for it.
#ifndef TENSORFLOW_TSL_MLIR_BRIDGE_H_
#define TENSORFLOW_TSL_MLIR_BRIDGE_H_

namespace tensorflow {

bool RunMlirBridge();

}  // namespace tensorflow

#endif  // TENSORFLOW_TSL_MLIR_BRIDGE_H_
