"""A few generated workspaces with Bazel's answers, kept in the repository: they are compared where there is no Bazel.

`recorded/VERSION.json.gz` has the files themselves, so that a change of the generator does not make it stale.

    python -m tests.generate record [--bazel VERSION]        asks the Bazels of this machine anew
"""

from __future__ import annotations

import base64
import gzip
import json
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from tests.differential.configured.ours import Ours
from tests.differential.facts.compare import Difference
from tests.differential.facts.proto_answer import read_proto
from tests.differential.formats.content import placer
from tests.differential.real.bazel import Reply
from tests.differential.real.stubs import read_stubs, write_stubs
from tests.generate import cquery
from tests.generate.compare import CONFIGURED, SELECTS, STUBS, Pair, answers, differing, local_repositories, root
from tests.generate.tree import Generated, write
from tests.generate.workspace import seeded

FOLDER = Path(__file__).with_name("recorded")
VERSIONS = ("0.19.1", "0.24.1", "2.1.0", "4.2.3", "7.7.1")
SEEDS = (1000, 1001, 1002, 1003)
QUESTIONS = ("label_kind", "location", "build", "xml", "proto", SELECTS, "packages", "minrank", "graph")
"""Those that need nothing of Bazel's own repositories."""


def record(version: str) -> Path:
    """Asks Bazel; the file that was written."""
    workspaces = [seeded(seed, version, root(seed)) for seed in SEEDS]
    with tempfile.TemporaryDirectory(prefix="bzlgraph-generated-") as folder, Pair(version, Path(folder)) as pair:
        pair.fill(workspaces)
        replies = pair.theirs(QUESTIONS)
        ours = Ours(pair.tree, pair.stubs, version)
        place = placer(pair.tree, local_repositories(pair.tree))
        document = {
            "tree": str(pair.tree),
            "workspaces": [dict(each.files) for each in workspaces],
            "answers": {name: base64.b64encode(each.output).decode() for name, each in replies.items()},
            "exit codes": {name: each.exit_code for name, each in replies.items()},
            "configured": [asdict(each) for each in pair.configured(ours, read_proto(replies[SELECTS].output, place))],
        }
    path = FOLDER / f"{version}.json.gz"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(json.dumps(document, ensure_ascii=False).encode(), 9, mtime=0))
    return path


def differences(version: str, folder: Path) -> Iterator[tuple[str, Difference]]:
    """What bzlgraph answers differently now. The folder is where the workspaces are written."""
    document = json.loads(gzip.decompress((FOLDER / f"{version}.json.gz").read_bytes()))
    tree = folder / "tree"
    write((Generated(0, files) for files in document["workspaces"]), tree)
    overrides = write_stubs(read_stubs(STUBS, tree), folder / "stubs")
    codes = document["exit codes"]
    theirs = {name: Reply(base64.b64decode(said), (), codes[name]) for name, said in document["answers"].items()}
    here, there = placer(tree, overrides | local_repositories(tree)), placer(Path(document["tree"]), {})
    yield from differing(version, theirs, answers(tree, version, overrides, QUESTIONS), lambda text: there(here(text)))
    configured = Ours(tree, overrides, version)
    for said in document["configured"]:
        yield from ((CONFIGURED, each) for each in cquery.differing(configured, cquery.Said(**said), version))
