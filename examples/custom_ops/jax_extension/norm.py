import jax
import _norm

RMS = "norm_rms"

jax.ffi.register_ffi_target(RMS, _norm.root_mean_square(), platform="cpu")
for name, handler in _norm.registrations().items():
    jax.ffi.register_ffi_target(name, handler, platform="cpu")


def _scaled(x, eps):
    return jax.ffi.ffi_call(RMS, jax.ShapeDtypeStruct(x.shape, x.dtype))(x, eps=eps)


def normalize(x):
    return _scaled(x, eps=1e-5)


def widen(x):
    return jax.ffi.ffi_call("norm_widen", jax.ShapeDtypeStruct(x.shape, "float64"))(x)
