#pragma once
#include <torch/extension.h>

namespace smooth {
at::Tensor smooth_cpu(const at::Tensor& x, int64_t width);
int64_t widest();
}  // namespace smooth
