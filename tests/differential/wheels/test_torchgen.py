"""The comparison with torchgen tells what differs; the comparison itself needs a PyTorch tree and runs by hand."""

from tests.differential.wheels.torchgen import compared


def test_what_differs_and_what_is_missing_is_told() -> None:
    truth = {"mm": {"CPU": "mm_cpu", "SparseCPU": "_sparse_mm"}, "add": {"CPU": "ufunc_add_CPU", "Meta": "meta"}}
    ours = {"mm": {"CPU": {"mm_cpu", "gemm_kernel"}, "SparseCPU": {"mm_out_sparse"}}, "add": {"Generic": {"add"}}}
    assert list(compared(truth, ours)) == [
        ("equal", "mm", "CPU", "mm_cpu"),
        ("differs", "mm", "SparseCPU", "_sparse_mm"),
        ("generated", "add", "CPU", "ufunc_add_CPU"),
        ("missing", "add", "Meta", "meta"),
    ]
