#include "smooth_kernels.h"

TORCH_LIBRARY(smooth, m) {
  m.def("smooth(Tensor x, int width) -> Tensor");
}

TORCH_LIBRARY_IMPL(smooth, CPU, m) {
  m.impl("smooth", &smooth::smooth_cpu);
}

PYBIND11_MODULE(_smooth, m) {
  m.def("widest", &smooth::widest);
}
