// Mirrors tensorflow/compiler/tf2xla/xla_compiler.h and xla_op_registry.h: what each backend of XLA can compute with.
#ifndef MINI_TENSORFLOW_XLA_COMPILER_H_
#define MINI_TENSORFLOW_XLA_COMPILER_H_
#include "tensorflow/core/framework/op_kernel.h"

namespace tensorflow {

constexpr std::array<DataType, 2> kFloatTypes = {{DT_HALF, DT_FLOAT}};
constexpr std::array<DataType, 3> kCpuAllTypes = {{DT_HALF, DT_FLOAT, DT_DOUBLE}};
constexpr std::array<DataType, 2> kGpuAllTypes = {{DT_FLOAT, DT_DOUBLE}};

}  // namespace tensorflow
#endif  // MINI_TENSORFLOW_XLA_COMPILER_H_
