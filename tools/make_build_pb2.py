"""Makes bzlgraph/export/query_formats/build_pb2.py from build.proto. Needs: pip install grpcio-tools==1.62.3

That version writes code that any protobuf since 4.25 runs; newer ones bind it to their own major version.
"""

from __future__ import annotations

import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "bzlgraph" / "export" / "query_formats"


def main() -> int:
    """Runs the compiler; its exit code."""
    from grpc_tools import protoc

    return int(protoc.main(["protoc", f"-I{FOLDER}", f"--python_out={FOLDER}", str(FOLDER / "build.proto")]))


if __name__ == "__main__":
    sys.exit(main())
