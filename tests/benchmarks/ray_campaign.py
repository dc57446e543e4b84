"""A Ray cluster of three nodes on this machine: overhead, memory, and a node that dies midway.

Without directories only tiny pieces are measured. With directories of codebases, the suite of them
is computed here and on the cluster, one node of which is removed midway, and the bytes compared.
"""

import argparse
import resource
import shutil
import threading
import time
from pathlib import Path
from typing import Any

import ray
from ray.cluster_utils import Cluster

from benchmarks.suite_campaign import write_suite
from goldwright.app.suites.suite_dataset import export_suite
from goldwright.app.suites.suite_definition import read_suite
from goldwright.app.suites.suite_run import run_suite
from goldwright.engine.piece_executors import PieceExecutor, ProcessExecutor, SequentialExecutor
from goldwright.engine.progress import SilentProgress
from goldwright.engine.ray_executor import RayExecutor

# Small enough that three nodes fit beside each other on a small machine.
_OBJECT_STORE_BYTES = 150_000_000
_MEGABYTE = 1024


def main() -> int:
    """Measure; 1 where the cluster gives other bytes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("codebases", nargs="*", type=Path)
    parser.add_argument("--pieces", type=int, default=100_000)
    parser.add_argument("--plan", default="smoke")
    parser.add_argument("--kill-after", type=float, default=15.0)
    arguments = parser.parse_args()
    cluster, nodes = start_cluster()
    try:
        is_equal = True
        if arguments.codebases:
            is_equal = _compare_suites(arguments, cluster, nodes)
        _measure("ray, 3 nodes", RayExecutor(ray), arguments.pieces)
    finally:
        ray.shutdown()
        cluster.shutdown()
    _measure("2 processes", ProcessExecutor(2), min(arguments.pieces, 10_000))
    _measure("here", SequentialExecutor(), arguments.pieces)
    return 0 if is_equal else 1


def start_cluster() -> tuple[Any, list[Any]]:
    """Start a cluster of three nodes with a CPU each, and connect to it."""
    head = {"num_cpus": 1, "object_store_memory": _OBJECT_STORE_BYTES}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    nodes = [cluster.add_node(**head) for _ in range(2)]
    ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
    return cluster, nodes


def succeed(number: int) -> int:
    """Compute the smallest piece there is."""
    return number + 1


def _measure(title: str, executor: PieceExecutor, count: int) -> None:
    before = _peak_memory()
    start = time.monotonic()
    total = 0
    for settled in executor.settle(succeed, range(count)):
        total += settled.outcome or 0
    seconds = time.monotonic() - start
    if total != count * (count + 1) // 2:
        raise AssertionError(f"{title}: a piece was lost or came twice")
    growth = _peak_memory() - before
    cost = 1000 * seconds / count
    print(
        f"{title:<14}{count:>8} pieces {seconds:7.1f} s {cost:6.2f} ms each, +{growth} MB of memory"
    )


def _compare_suites(arguments: argparse.Namespace, cluster: Any, nodes: list[Any]) -> bool:
    out = arguments.out.absolute()
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    suite = read_suite(write_suite(out / "suite.toml", arguments.codebases, arguments.plan))
    exports = []
    for title, executor in (("here", SequentialExecutor()), ("ray", RayExecutor(ray))):
        place = out / title
        if title == "ray":
            death = threading.Timer(arguments.kill_after, cluster.remove_node, [nodes[0], False])
            death.start()
        start = time.monotonic()
        state = run_suite(suite, place, SilentProgress(), executor=executor)
        seconds = time.monotonic() - start
        print(f"suite {title:<6}{seconds:7.1f} s, {len(state.done)} done, {dict(state.failures)}")
        written = export_suite(place, "1.0", partial=True)
        exports.append(written.dataset.read_bytes() + written.provenance.read_bytes())
    print(f"nodes at the end: {sum(node['Alive'] for node in ray.nodes())} of 3")
    is_equal = exports[0] == exports[1]
    print("byte-equal" if is_equal else "DIFFERENT")
    return is_equal


def _peak_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // _MEGABYTE


if __name__ == "__main__":
    raise SystemExit(main())
