// Mirrors tensorflow/compiler/tf2xla/xla_compiler.cc, and xla_cpu_backend.cc and xla_gpu_backend.cc beside it.
#include "tensorflow/compiler/tf2xla/xla_compiler.h"

namespace tensorflow {

bool CpuOpFilter(KernelDef* kdef) { return true; }
REGISTER_XLA_BACKEND(DEVICE_CPU_XLA_JIT, kCpuAllTypes, CpuOpFilter);

bool GpuOpFilter(KernelDef* kdef) { return true; }
REGISTER_XLA_BACKEND(DEVICE_GPU_XLA_JIT, kGpuAllTypes, GpuOpFilter);

}  // namespace tensorflow
