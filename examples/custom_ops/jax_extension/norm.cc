#include "norm.h"

namespace ffi = xla::ffi;

ffi::Error RootMeanSquareImpl(float eps, ffi::Buffer<ffi::F32> x, ffi::ResultBuffer<ffi::F32> y) {
  return Divide(x, Root(x, eps), y);
}

template <ffi::DataType T>
ffi::Error WidenImpl(ffi::Buffer<T> x, ffi::ResultBuffer<ffi::F64> y) {
  return Copy(x, y);
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(
    RootMeanSquare, RootMeanSquareImpl,
    ffi::Ffi::Bind().Attr<float>("eps").Arg<ffi::Buffer<ffi::F32>>().Ret<ffi::Buffer<ffi::F32>>());

XLA_FFI_DEFINE_HANDLER_SYMBOL(
    Widen, WidenImpl<ffi::F32>, ffi::Ffi::Bind().Arg<ffi::Buffer<ffi::F32>>().Ret<ffi::Buffer<ffi::F64>>());
