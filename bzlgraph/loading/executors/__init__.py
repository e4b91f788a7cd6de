"""Who evaluates packages, and reads C++ files: processes of this machine, or a cluster."""

from bzlgraph.loading.executors.executor import Executor
from bzlgraph.loading.executors.local import LocalExecutor, available_cores, in_parallel, start_apart, start_local

__all__ = ["Executor", "LocalExecutor", "available_cores", "in_parallel", "start_apart", "start_local"]
