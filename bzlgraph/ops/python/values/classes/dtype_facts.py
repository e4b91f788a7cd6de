"""What functions and attributes of JAX and NumPy give, by their names: facts for ``dtypes``."""

from __future__ import annotations

from collections.abc import Mapping

FLOATS = frozenset("pi inf nan e euler_gamma".split())
ALIKE_PARTS, SIZES = (
    frozenset(["T", "mT", "at", "dtype", "aval", "type"]),
    frozenset(["shape", "ndim", "size", "itemsize"]),
)
ASKING = frozenset(
    "eq ne lt le gt ge equal not_equal less less_equal greater greater_equal logical_and logical_or logical_not"
    " logical_xor isnan isinf isfinite is_finite isclose isin any all isreal iscomplex signbit isposinf"
    " isneginf".split()
)
COUNTING = frozenset(
    "default_int_dtype argmax argmin argsort count_nonzero searchsorted population_count clz len int ndim".split()
)
INEXACT = frozenset(
    "exp exp2 log log2 log10 log1p expm1 sqrt rsqrt cbrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh"
    " arcsin arccos arctan arcsinh arccosh arctanh erf erfc erf_inv lgamma gammaln digamma logistic expit sigmoid mean"
    " std var to_inexact_dtype".split()
)
"""Functions that give floats, or complex numbers for such."""
NEVER_WHOLE = frozenset(
    "fft ifft rfft irfft hfft ihfft fft2 ifft2 rfft2 irfft2 fftn ifftn rfftn irfftn cholesky qr svd eig eigh schur"
    " triangular_solve inv pinv expm sqrtm norm det".split()
)
"""Functions that give floats or complex numbers, whatever they are given: of other numbers no such thing is made."""
WRAPPING = frozenset("jit vmap partial checkpoint remat maybe_auto_axes".split())
"""Functions that make one which gives what their first argument gives."""
PARTIAL = "partial"
KEEPING = frozenset([PARTIAL, "maybe_auto_axes"])
"""Those of them that give that what they are given by name."""
ALIKE = frozenset(
    "reshape broadcast_to broadcast_in_dim broadcast expand_dims squeeze transpose moveaxis swapaxes ravel flatten rev"
    " flip roll slice slice_in_dim dynamic_slice dynamic_slice_in_dim dynamic_index_in_dim index_in_dim gather take"
    " take_along_axis stop_gradient conj conjugate neg negative sort zeros_like ones_like full_like tile repeat asarray"
    " array copy lax_const const zero one dtype canonicalize_dtype jax_dtype"
    " check_and_canonicalize_user_dtype upcast_f16 tril triu diag diagonal list tuple".split()
)
"""Functions that give what their first argument has."""
SUMS = frozenset("sum prod cumsum cumprod nansum to_numeric_dtype promote_integer_dtype".split())
PROMOTING = frozenset(
    "add sub subtract mul multiply maximum minimum div rem remainder mod pow power dot matmul dot_general inner outer"
    " tensordot bitwise_and bitwise_or bitwise_xor atan2 arctan2".split()
)
"""Functions that promote their first two arguments."""
EACH = frozenset(
    "ensure_arraylike promote_shapes broadcast_arrays standard_insert_pvary standard_insert_pbroadcast".split()
)
"""Functions that give each argument again."""
NAMED = ("ensure_arraylike", "promote_args", "promote_shapes")
"""How functions begin that are given the name of a function first."""
CHOSEN = {"where": slice(1, 3), "select": slice(1, 3), "select_n": slice(1, None), "clamp": slice(1, 2)}
"""Functions that give some of their arguments."""
ITSELF = frozenset(["cast", "getattr"])
"""Functions of Python that give what they are given, ``cast(Array, x)``, or stand for it, ``getattr(x, "__array__")``,
which gives it when it is called."""
REAL = frozenset(["abs", "absolute", "real", "imag"])
GIVEN_AT: Mapping[str, int] = {
    "convert_element_type": 1, "astype": 1, "asarray": 1, "array": 1, "zeros_like": 1, "ones_like": 1, "full_like": 2,
    "iota": 0, "broadcasted_iota": 0, "zeros": 1, "ones": 1, "empty": 1, "full": 2, "bitcast_convert_type": 1,
    "uniform": 2,
}  # fmt: skip
"""Functions that are given a dtype -> its position."""
MAKING = frozenset(["zeros", "ones", "empty", "eye", "uniform", "default_float_dtype"])
"""Functions that make floats where they are given none."""
