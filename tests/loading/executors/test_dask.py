"""A cluster gives what this machine gives, byte for byte, whatever happens to its workers."""

from __future__ import annotations

import io
import shutil
import socket
import subprocess
import sys
import tarfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from bzlgraph.cli.main import main
from bzlgraph.loading.evaluator import Evaluator
from bzlgraph.loading.executors import cluster as clusters
from bzlgraph.loading.executors import dask, dask_worker, remote_checkout
from bzlgraph.loading.executors.archive import unpack, write_archive
from bzlgraph.loading.executors.crew import Arrival, Crew, join_crew
from bzlgraph.loading.executors.remote_checkout import RemoteCheckout
from bzlgraph.loading.executors.wire import Work
from bzlgraph.loading.loader import Loader
from bzlgraph.workspace.sources.source import DiskSource
from bzlgraph.workspace.tree import RepositoryTree
from bzlgraph.workspace.workspace import open_workspace
from tests.loading.executors.local_cluster import RunningCluster, running_cluster

ROOT = Path(__file__).parents[3]
NOWHERE = Path("/nowhere")
WORKSPACES = ("computed_defaults", "macros", "rule_attributes", "broken")


def ask(tree: Path, *words: str) -> tuple[int, bytes, str]:
    """Exit code, stdout and stderr of a command."""
    with CliRunner().isolation() as (out, err, _mixed):
        with pytest.raises(SystemExit) as stop:
            main(["-C", str(tree), "--no_cache", *words])
        return int(stop.value.code or 0), out.getvalue(), err.getvalue().decode()


def packages(tree: Path, *options: str, form: str = "build") -> tuple[int, bytes, str]:
    return ask(tree, *options, "query", "-k", "//...:*", f"--output={form}")


def without_notes(told: str) -> str:
    return "".join(line for line in told.splitlines(keepends=True) if not line.startswith("note: dask"))


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Copies that are no part of another workspace."""
    folder = tmp_path_factory.mktemp("trees")
    shutil.copytree(ROOT / "examples" / "mini_tensorflow", folder / "mini_tensorflow")
    for name in WORKSPACES:
        shutil.copytree(ROOT / "tests" / "workspaces" / name, folder / name)
    return {name: folder / name for name in ("mini_tensorflow", *WORKSPACES)}


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace of 160 packages."""
    root = tmp_path_factory.mktemp("many")
    (root / "WORKSPACE").touch()
    (root / "rules.bzl").write_text("def lib(name, deps):\n    native.cc_library(name = name, deps = deps)\n")
    (root / "BUILD").touch()
    for number in range(160):
        (root / f"p{number}").mkdir()
        deps = [f"//p{number - 1}:lib"] if number else []
        (root / f"p{number}" / "BUILD").write_text(f'load("//:rules.bzl", "lib")\nlib("lib", {deps})\n')
    return root


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningCluster]:
    with running_cluster(2, tmp_path_factory.mktemp("cluster")) as running:
        yield running


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[RunningCluster]:
    """A cluster whose workers may be killed."""
    with running_cluster(3, tmp_path) as running:
        yield running


@pytest.fixture(autouse=True)
def _all_is_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bzlgraph.loading.loader.WORTH_A_POOL", 1)


@pytest.fixture(autouse=True)
def _everybody_leaves(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A command ends with its process; here it does not."""
    crews: list[Crew] = []
    begin = Crew.__init__

    def noted(self: Crew, *arguments: object) -> None:
        crews.append(self)
        begin(self, *arguments)

    monkeypatch.setattr(Crew, "__init__", noted)
    yield
    for crew in crews:
        crew.close()
    for (
        thread
    ) in threading.enumerate():  # while Dask's runs, no process is forked: the tests after these would have none
        if thread.name == "IO loop":
            thread.join(60)


@pytest.fixture
def evaluated_here(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The packages that this process evaluates."""
    noted: list[object] = []
    fresh = Loader._fresh

    def note(self: Loader, key: tuple[str, str]) -> object:
        noted.append(key)
        return fresh(self, key)

    monkeypatch.setattr(Loader, "_fresh", note)
    return noted


@pytest.fixture
def at_submission(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, Callable[[], None]], None]:
    """Lets something happen when so many batches were given to the cluster."""
    events: dict[int, Callable[[], None]] = {}
    count = [0]
    submit = Crew.submit

    def counted(self: Crew, batch: bytes) -> None:
        submit(self, batch)
        count[0] += 1
        events.get(count[0], lambda: None)()

    monkeypatch.setattr(Crew, "submit", counted)
    return events.__setitem__


@pytest.mark.parametrize("scheme", ["dask", "dask+ship"])
@pytest.mark.parametrize("name", ["mini_tensorflow", *WORKSPACES])
def test_the_bytes(
    trees: dict[str, Path], cluster: RunningCluster, name: str, scheme: str, evaluated_here: list[object]
) -> None:
    for form in ("build", "xml"):
        local = packages(trees[name], "--jobs=1", form=form)
        assert len(local[1]) > 100
        evaluated_here.clear()
        assert packages(trees[name], cluster.executor(scheme), form=form) == local
        assert evaluated_here == []


def test_what_a_cluster_evaluated_is_kept(
    trees: dict[str, Path], cluster: RunningCluster, tmp_path: Path, evaluated_here: list[object]
) -> None:
    question = ("query", "//...:*", "--output=xml")
    cache = f"--cache_dir={tmp_path}"
    line = ["-C", str(trees["mini_tensorflow"]), cache]
    answers = []
    for words in ([cluster.executor()], ["--jobs=1"]):
        with CliRunner().isolation() as (out, _err, _mixed), pytest.raises(SystemExit):
            main([*line, *words, *question])
        answers.append(out.getvalue())
    assert answers[0] == answers[1] != b""
    assert evaluated_here == []


def test_a_worker_killed_in_the_middle_twice(
    many: Path, mortal: RunningCluster, at_submission: Callable[[int, Callable[[], None]], None]
) -> None:
    local = packages(many, "--jobs=1")
    at_submission(4, mortal.kill_worker)
    at_submission(12, mortal.kill_worker)
    code, out, told = packages(many, mortal.executor())
    assert (code, out, without_notes(told)) == local


def test_a_cluster_that_goes_away_leaves_the_rest_to_this_machine(
    many: Path,
    mortal: RunningCluster,
    at_submission: Callable[[int, Callable[[], None]], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dask, "GRACE", 1.0)
    local = packages(many, "--jobs=1")
    at_submission(4, mortal.end)
    code, out, told = packages(many, mortal.executor(), "--jobs=2")
    assert (code, out) == local[:2]  # Dask may log what it has lost
    assert "this process evaluates the rest" in told


def test_a_client_that_closes_itself_leaves_the_rest_to_this_machine(
    many: Path,
    cluster: RunningCluster,
    at_submission: Callable[[int, Callable[[], None]], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As Dask's does when it has lost the scheduler for long enough: at any time, also between two looks at it."""
    import distributed

    def closed(*_: object, **__: object) -> None:
        raise RuntimeError("Client is closed. Can't send update-graph message")

    local = packages(many, "--jobs=1")
    at_submission(3, lambda: monkeypatch.setattr(distributed.Client, "submit", closed))
    code, out, told = packages(many, cluster.executor(), "--jobs=2")
    assert (code, out) == local[:2]
    assert "a batch could not be sent (RuntimeError: Client is closed." in told


def test_workers_of_another_version_are_not_used(
    trees: dict[str, Path], cluster: RunningCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = trees["macros"]
    local = packages(tree, "--jobs=1")
    monkeypatch.setattr(remote_checkout, "content_version", lambda: "another")
    code, out, told = packages(tree, cluster.executor())
    assert (code, out, without_notes(told)) == local
    assert "every worker has another version of bzlgraph or of Python: this process evaluates the rest" in told


def test_workers_that_do_not_see_the_checkout_are_not_used(
    trees: dict[str, Path], cluster: RunningCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = trees["macros"]
    local = packages(tree, "--jobs=1")
    written = remote_checkout.write_request
    monkeypatch.setattr(
        remote_checkout, "write_request", lambda workspace, shipped: written(replace(workspace, root=NOWHERE), shipped)
    )
    code, out, told = packages(tree, cluster.executor())
    assert (code, out, without_notes(told)) == local
    assert "every worker says: no such folder: '/nowhere'" in told


def test_a_file_that_differs_is_read_here(
    many: Path, cluster: RunningCluster, tmp_path: Path, evaluated_here: list[object]
) -> None:
    root = tmp_path / "many"
    shutil.copytree(many, root)
    from bzlgraph.questions.session import open_session
    from bzlgraph.workspace.options import Options

    notes: list[str] = []
    named = cluster.executor("dask+ship").partition("=")[2]
    loader = open_session(root, Options(executor=named, note=notes.append)).loader
    loader._start_workers()  # which sends the checkout as it is now
    (root / "p7" / "BUILD").write_text('filegroup(name = "edited")\n')
    list(loader.in_turn(("", f"p{number}") for number in range(20)))
    loader.close()
    package = loader.find("", "p7")
    assert package is not None
    assert list(package.targets) == ["edited", "BUILD"]
    assert evaluated_here == [("", "p7")]
    assert [note.partition(": ")[2] for note in notes] == [
        "workers see different files than this machine, such as //p7; it is evaluated here"
    ]


def test_a_link_that_leads_outside_is_told_by_a_shipped_checkout_too(
    many: Path, cluster: RunningCluster, tmp_path: Path
) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    (root / "WORKSPACE").touch()
    (root / "out").symlink_to(outside)
    (root / "BUILD").write_text('filegroup(name = "all", srcs = glob(["**"]))\n')
    code, out, told = packages(root, "--jobs=1", form="json")
    assert "out" in out.decode()
    # What lies outside is not shipped, so the package is evaluated here: the same answer, and that is said.
    assert packages(root, cluster.executor("dask+ship"), form="json")[:2] == (code, out)
    assert packages(root, cluster.executor("dask+ship"), form="json")[2].endswith(told)


def test_what_is_printed_is_shown_here(cluster: RunningCluster, tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "rules.bzl").write_text('def lib(name):\n    print("made " + name)\n')
    (tmp_path / "BUILD").write_text('load("//:rules.bzl", "lib")\nlib("x")\n')
    local = packages(tmp_path, "--jobs=1")
    assert "DEBUG: rules.bzl:2:10: made x" in local[2]
    assert packages(tmp_path, cluster.executor()) == local


@pytest.mark.parametrize(
    "given", ["dask", "dask://", "dask://host", "dask://host:x", "dask://host:1/path", "ray://host:1", "tcp://host:1"]
)
def test_what_is_no_executor_is_refused(many: Path, given: str) -> None:
    code, out, told = packages(many, f"--executor={given}")
    assert (code, out) == (2, b"")
    assert f"--executor={given}: expected local, dask://HOST:PORT or dask+ship://HOST:PORT" in told


def test_a_scheduler_that_is_not_there_is_told(many: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    code, out, told = packages(many, f"--executor=dask://127.0.0.1:{port}")
    assert (code, out) == (2, b"")
    assert f"--executor=dask://127.0.0.1:{port}: cannot reach the scheduler: Connection refused" in told
    assert f"hint: `dask scheduler --port {port}` starts one" in told


def test_a_server_that_is_silent_is_told(many: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "PATIENCE", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:
        code, out, told = packages(many, f"--executor=dask://127.0.0.1:{server.getsockname()[1]}")
    assert (code, out) == (2, b"")
    assert "cannot reach the scheduler: timed out" in told


GREETER = """
import socket, sys
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
while True:
    server.accept()[0].send(b"SSH-2.0-OpenSSH_9.6")
"""


def test_a_server_that_is_no_scheduler_is_told(many: Path) -> None:
    """In a process of its own: Dask's client never ends its threads after that."""
    with subprocess.Popen([sys.executable, "-c", GREETER], stdout=subprocess.PIPE, text=True) as greeter:
        assert greeter.stdout is not None
        words = ["--no_cache", "-C", str(many), f"--executor=dask://127.0.0.1:{greeter.stdout.readline().strip()}"]
        command = [sys.executable, "-m", "bzlgraph", *words, "query", "//..."]
        found = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=ROOT, check=False)
        greeter.kill()
    assert (found.returncode, found.stdout) == (2, "")
    assert "no Dask scheduler answers there" in found.stderr
    assert "Traceback" not in found.stderr


def test_nothing_leaves_this_machine_under_stay_inside(many: Path) -> None:
    code, out, told = packages(many, "--stay_inside", "--executor=dask://127.0.0.1:1")
    assert (code, out) == (2, b"")
    assert "--stay_inside keeps the checkout on this machine" in told


def test_without_dask_its_extra_is_named(many: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters.importlib.util, "find_spec", lambda _name: None)
    code, out, told = packages(many, "--executor=dask://127.0.0.1:1")
    assert (code, out) == (2, b"")
    assert "hint: pip install 'bzlgraph[dask]'" in told


def test_no_object_that_a_worker_sends_is_unpickled(many: Path, cluster: RunningCluster) -> None:
    named = clusters.parse_cluster(cluster.executor().partition("=")[2])
    assert named is not None
    crew = join_crew(named, remote_checkout.remote_checkout(open_workspace(many), ships=False))
    assert crew._client.submit(bytes, b"plain").result(timeout=30) == b"plain"
    with pytest.raises(TypeError, match="only able to deserialize data with"):
        crew._client.submit(Path, "object").result(timeout=30)


class DamagedCrew:
    """A worker in this process, and a line on which each second reply is damaged in a way of its own."""

    def __init__(self, checkout: RemoteCheckout) -> None:
        self.checkout, self.evaluator, self.is_open, self.threads = checkout, Evaluator(), True, 1
        self.waiting: list[bytes] = []
        self.count = 0

    def submit(self, batch: bytes) -> None:
        self.waiting.append(batch)

    def arrival(self, _patience: float) -> Arrival:
        batch = self.waiting.pop(0)
        work = Work("worker", self.checkout.version, self.checkout.session, self.checkout.request, (), batch)
        data = self.evaluator.reply(work)
        self.count += 1
        at = self.count * 7919 % len(data)
        damaged = (data[:at], data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :], data + b"x", b"", None, "text")
        return Arrival(batch, damaged[self.count // 2 % len(damaged)] if self.count % 2 else data)

    def look(self) -> bool:
        return True

    def close(self) -> None:
        self.is_open = False


def test_damaged_bytes_are_no_answer(many: Path, monkeypatch: pytest.MonkeyPatch, evaluated_here: list[object]) -> None:
    local = packages(many, "--jobs=1")
    evaluated_here.clear()
    monkeypatch.setattr(clusters, "checked_cluster", lambda options: clusters.parse_cluster(options.executor))
    crews: list[DamagedCrew] = []

    def join(_cluster: clusters.Cluster, checkout: RemoteCheckout) -> DamagedCrew:
        crews.append(DamagedCrew(checkout))
        return crews[0]

    monkeypatch.setattr(dask, "join_crew", join)
    monkeypatch.setattr(dask, "LARGEST", 4)
    code, out, told = packages(many, "--executor=dask://there:1")
    assert (code, out, without_notes(told)) == local
    assert "a worker sent damaged bytes: its seal is invalid; its packages are evaluated here" in told
    assert crews[0].count > 40


def test_an_archive_is_the_same_for_the_same_files(trees: dict[str, Path], tmp_path: Path) -> None:
    tree = trees["mini_tensorflow"]
    archives = [write_archive([RepositoryTree(DiskSource(tree))]) for _ in range(2)]
    assert archives[0] == archives[1]
    unpack(archives[0], str(tmp_path))
    there, here = RepositoryTree(DiskSource(tmp_path / "0")), RepositoryTree(DiskSource(tree))
    assert list(there.packages_below("")) == list(here.packages_below(""))
    for package in here.packages_below(""):
        assert there.package_files(package).files() == here.package_files(package).files()
        assert there.read_build_file(package) == here.read_build_file(package)


@pytest.mark.parametrize("name", ["/tmp/x", "../x", "0/../../x"])
def test_an_archive_that_leads_outside_is_none(tmp_path: Path, name: str) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        tar.addfile(tarfile.TarInfo(name))
    with pytest.raises(ValueError, match="leads out"):
        unpack(packed.getvalue(), str(tmp_path / "folder"))


def test_a_worker_whose_evaluator_dies_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_worker, "_COMMAND", [sys.executable, "-c", "import sys; sys.stdin.read(5)"])
    work = Work("worker", "version", b"session", b"request", (), b"batch")
    with pytest.raises((EOFError, BrokenPipeError)):
        dask_worker.Evaluating().reply(work)


def test_an_answer_of_a_cluster_is_given_again_only_while_nothing_changes(
    cluster: RunningCluster, tmp_path: Path
) -> None:
    root = tmp_path / "root"
    (root / "p").mkdir(parents=True)
    (root / "WORKSPACE").touch()
    (root / "rules.bzl").write_text("def lib(name):\n    native.filegroup(name = name)\n")
    (root / "BUILD").write_text(
        'load("//:rules.bzl", "lib")\nlib("x")\nfilegroup(name = "all", srcs = glob(["*.cc"]))\n'
    )
    for number in range(30):
        (root / f"q{number}").mkdir()
        (root / f"q{number}" / "BUILD").write_text(f'filegroup(name = "y{number}", srcs = ["//:all"])\n')
    command = [sys.executable, "-m", "bzlgraph", "-C", str(root), f"--cache_dir={tmp_path / 'cache'}"]

    def answer(*options: str) -> str:
        time.sleep(0.1)  # what was changed just now is never kept
        words = [*command, *options, "query", "//...:*"]
        return subprocess.run(words, capture_output=True, text=True, check=True, cwd=ROOT).stdout

    seen = {answer(cluster.executor())}
    for path, text in (
        ("rules.bzl", "def lib(name):\n    native.filegroup(name = name + name)\n"),
        ("new.cc", ""),
        ("q7/BUILD", 'filegroup(name = "edited")\n'),
        ("p/BUILD", 'filegroup(name = "new")\n'),
    ):
        (root / path).write_text(text)
        fresh = answer(cluster.executor())
        assert fresh not in seen
        assert fresh == answer("--no_cache", "--jobs=1") == answer(cluster.executor())
        seen.add(fresh)
