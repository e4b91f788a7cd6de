#include "nanobind/nanobind.h"
#include "norm.h"

template <typename T>
nb::capsule Capsule(T* handler) {
  return nb::capsule(reinterpret_cast<void*>(handler));
}

NB_MODULE(_norm, m) {
  m.def("root_mean_square", []() { return Capsule(RootMeanSquare); });
  m.def("registrations", []() {
    nb::dict handlers;
    handlers["norm_widen"] = Capsule(Widen);
    return handlers;
  });
}
