// Mirrors tensorflow/core/platform/default/port.cc: memory from another allocator.
#include <cstddef>

extern "C" void* tc_malloc(size_t size);

namespace tensorflow {

void* AllocateFromTcmalloc(size_t size) { return tc_malloc(size); }

}  // namespace tensorflow
