"""Which functions of an operator of PyTorch the dispatcher calls for a tensor of a special kind: those of the keys of
that kind, where it has any.

an entry, what it is given -> the entry with these alone.

>>> from bzlgraph.ops.pytorch.entries import read_entries
>>> text = "- func: f(Tensor self) -> Tensor\\n  dispatch:\\n    CPU, CUDA: f\\n    QuantizedCPU: f_q\\n"
>>> entry = read_entries(text + "    SparseCPU: f_s\\n    SparseCsrCPU: f_c\\n")[0]
>>> [key for key, _ in of_kind([entry], (("self.is_quantized()", "true"),)).kernels]
['QuantizedCPU']
>>> [key for key, _ in of_kind([entry], (("self.is_sparse()", "true"),)).kernels]
['SparseCPU']
>>> of_kind([entry], (("self.is_quantized()", "false"), ("self.is_nested()", "true"))), sorted(kinds_asked([entry]))
(None, ['self.is_quantized()', 'self.is_sparse()', 'self.is_sparse_csr()'])
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bzlgraph.ops.pytorch.cpp.questions import TRUE, Constants
from bzlgraph.ops.pytorch.cpp.truth import KINDS
from bzlgraph.ops.pytorch.entries import NativeFunction
from bzlgraph.ops.pytorch.kernels import wanted_names
from bzlgraph.ops.pytorch.overloads import plain_tensors

_KEYS = {
    "is_quantized()": re.compile(r"Quantized\w+"),
    "is_sparse()": re.compile(r"Sparse(?!Csr)\w+"),
    "is_sparse_csr()": re.compile(r"SparseCsr\w+"),
    "is_mkldnn()": re.compile(r"Mkldnn\w+"),
    "is_nested()": re.compile(r"NestedTensor\w+"),
}
"""What is asked of a tensor of a special kind, and the dispatch keys of that kind."""


def of_kind(listed: Sequence[NativeFunction], given: Constants) -> NativeFunction | None:
    """An entry with the functions alone that run for what it is given: the first that has some for the kind of a tensor
    that is given; None where none is known to be of a kind, or none has any. They are no structured kernels."""
    kinds = [asked for fact, value in given if value == TRUE for asked in [fact.partition(".")[2]] if asked in _KEYS]
    for entry in listed if kinds else ():
        kernels = tuple(each for each in entry.kernels if _KEYS[kinds[0]].fullmatch(each[0]) is not None)
        if kernels:
            return replace(entry, kernels=kernels, structured=False, delegate="")
    return None


def kinds_asked(listed: Sequence[NativeFunction]) -> Iterator[str]:
    """What decides of the tensors that an operator is given which of its functions run."""
    for asked, keys in _KEYS.items():
        for entry in listed:
            if any(keys.fullmatch(key) is not None for key, _ in entry.kernels):
                yield from (f"{name}.{asked}" for name in sorted(plain_tensors(entry.schema)))


def own_names(working: NativeFunction) -> frozenset[str] | None:
    """The functions of an operator, None for one of special tensors: all that it calls matters."""
    return None if any(word in working.name for word in KINDS) else frozenset(wanted_names(working))
