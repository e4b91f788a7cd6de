#include "smooth_kernels.h"

namespace smooth {

at::Tensor smooth_cpu(const at::Tensor& x, int64_t width) { return x.unfold(0, width, 1).mean(1); }

int64_t widest() { return 64; }

}  // namespace smooth
