# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Killing a node of three (SIGKILL), again and again, while `answer-selection index` writes and eight clients ask.

In turn the command builds an index beside the one that is asked, updates that one, or rebuilds it; in turn the elected
master is killed or another node, at a random moment. The command has to end well without it. Then the node is started
again, and when the cluster is green, every copy of every shard is compared with the corpus, document by document. A
query has failed if it raised an error, if not all that the servers sent for it was whole, or if it found other entries
than the corpus says; while the asked index is updated, the new entries may be found or not yet.

At the end two nodes of three are killed: the command and the queries have to end with an error, each in its time, and
the same command has to go on when the nodes are back.

    python tests/benchmarks/elasticsearch_kill_cluster.py --repetitions 10
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from rich.console import Console
from rich.table import Table

from elasticsearch_server import ElasticsearchCluster
from killed_node import (
    SECONDS_FOR_A_QUERY,
    SECONDS_FOR_THE_COMMAND,
    Corpus,
    IdsClient,
    Kill,
    RetrieverClient,
    build,
    differences,
    index_command,
    kill_a_node,
    operations,
    removing,
    settings,
    watching,
)

CHANGES = ("build", "update", "rebuild")
NODES = ("master", 0, 1)
COLUMNS = (
    "repetition",
    "command",
    "killed",
    "at",
    "exit",
    "entries",
    "lost",
    "queries",
    "failed",
    "again",
    "slowest",
    "green",
)


def kill_nodes(cluster: ElasticsearchCluster, repetitions: int, entries: int, seed: int) -> bool:
    """Kill one node at a time and show what happened; whether that was what should."""
    generator = random.Random(seed)
    table = Table(
        *COLUMNS, caption="at: part that was written; again: results that were not whole, and asked for again"
    )
    right = True
    problems = []
    for number in range(repetitions):
        # Every command with every node, before one of these pairs is there again.
        kill = Kill(
            CHANGES[number % 3], entries, round(generator.uniform(0, 0.8), 2), NODES[(number + number // 3) % 3]
        )
        with tempfile.TemporaryDirectory() as folder:
            outcome = kill_a_node(cluster, kill, Path(folder))
        good = not (outcome.code or outcome.lost or outcome.failed or outcome.slowest > SECONDS_FOR_A_QUERY)
        right = right and good
        master = " (master)" if kill.node == "master" else ""
        row = (
            number + 1,
            kill.change,
            outcome.node + master,
            f"{outcome.written / entries:.0%}",
            outcome.code,
            f"{entries:,}",
            len(outcome.lost),
            f"{outcome.queries:,}",
            len(outcome.failed),
            outcome.again,
            f"{outcome.slowest:.1f} s",
            f"{outcome.seconds_to_green:.1f} s",
        )
        table.add_row(*map(str, row))
        print(f"{number + 1} of {repetitions}: {kill.change}, {outcome.node}{master}", file=sys.stderr, flush=True)
        if not good:
            problems += [f"{number + 1}: {text}" for text in (outcome.output, *outcome.failed, *sorted(outcome.lost))]
    Console(width=140).print(table)
    print("\n".join(problems[:50]))
    return right


def lose_the_master(cluster: ElasticsearchCluster, entries: int) -> bool:
    """Kill two nodes and show how long it takes until that is said; whether the same command then goes on."""
    old, new = Corpus("old", 2000), Corpus("new", entries)
    with (
        tempfile.TemporaryDirectory() as name,
        watching(cluster) as client,
        removing(cluster, client, "asked", "written"),
    ):
        folder = Path(name)
        build(client, old.write(folder / "old.jsonl"), "asked")
        clients = [way("asked", lambda group, ids: ids == old.groups[group], 1) for way in (RetrieverClient, IdsClient)]
        arguments = (new.write(folder / "new.jsonl"), "written", "--settings", settings(folder))

        def run(while_it_runs: Callable[[subprocess.Popen[str]], None], *, code: int) -> bool:
            with index_command(*arguments) as process:
                while_it_runs(process)
                start = time.monotonic()
                output, errors = process.communicate(timeout=SECONDS_FOR_THE_COMMAND)
                said = errors.strip().splitlines()[-1] if process.returncode else " ".join(output.split())
                print(f"index, {time.monotonic() - start:.0f} s, exit code {process.returncode}: {said}", flush=True)
            return process.returncode == code and (not code or said.startswith("error "))

        def kill_two(process: subprocess.Popen[str]) -> None:
            while operations(client, "written-000001") < entries / 10:
                assert process.poll() is None, process.communicate()
                time.sleep(0.05)
            for node in cluster.nodes[1:]:
                node.kill()

        print("two nodes of three are killed")
        right = run(kill_two, code=2)
        for one in clients:
            one.ask_once()
            print(f"{type(one).__name__}, {one.slowest:.0f} s: {'; '.join(one.failed)}", flush=True)
            right = right and len(one.failed) == 1
            one.failed.clear()
        right = run(lambda process: None, code=2) and right
        cluster.restore()
        print("both are there again")
        right = run(lambda process: None, code=0) and right
        lost = differences(client, "written", new.documents)
        for one in clients:
            one.ask_once()
        return right and not lost and not any(one.failed for one in clients)


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=10)
    parser.add_argument("--entries", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with ElasticsearchCluster() as cluster:
        os.environ["ELASTICSEARCH_HOSTS"] = ",".join(cluster.urls)
        right = kill_nodes(cluster, options.repetitions, options.entries, options.seed)
        right = lose_the_master(cluster, options.entries) and right
    print("nothing was lost, and no query failed" if right else "that is not as it should be")
    sys.exit(not right)


if __name__ == "__main__":
    main()
