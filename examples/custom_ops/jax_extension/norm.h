#pragma once
#include "xla/ffi/api/ffi.h"

XLA_FFI_DECLARE_HANDLER_SYMBOL(RootMeanSquare);
XLA_FFI_DECLARE_HANDLER_SYMBOL(Widen);
