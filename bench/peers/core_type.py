#!/usr/bin/env python3
"""Prints the OpenBLAS core type under which the peers are fastest here; nothing when their own choice is.

OpenBLAS picks its kernels by the CPU's model. It falls back to old ones on a CPU it does not know, which flatters
whatever it is compared with. Each type is tried in processes of its own, in turns; a type this CPU cannot run fails and
is left out. Judged by numpy and by faiss on each of a few products, all together: each has an OpenBLAS of its own, and a type
that suits the one and not the other flatters whatever is compared with the other.
"""
import json
import math
import os
import subprocess
import sys

TYPES = ["", "HASWELL", "ZEN", "SKYLAKEX", "COOPERLAKE", "SAPPHIRERAPIDS"]
ROUNDS = 3

MEASURE = """
import json, time
import numpy as np, faiss
from threadpoolctl import ThreadpoolController
faiss.omp_set_num_threads(1)
random = np.random.default_rng(1)
x, q = random.standard_normal((40000, 768), dtype=np.float32), random.standard_normal((256, 768), dtype=np.float32)
small = x[:10000].reshape(20, 500, 768)
def best(run):
    run()
    times = []
    for _ in range(3):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)
with ThreadpoolController().limit(limits=1):
    found = {}
    for count in (1, 64, 256):
        part = np.ascontiguousarray(q[:count])
        found[f"numpy {count}"] = best(lambda: part @ x.T)
        found[f"faiss {count}"] = best(lambda: faiss.knn(part, x, 10, metric=faiss.METRIC_INNER_PRODUCT))
    found["tables"] = best(lambda: np.matmul(small, q[:70].T))
print(json.dumps(found))
"""


def measure(kind):
    environment = dict(os.environ, OMP_WAIT_POLICY="PASSIVE")
    environment.pop("OPENBLAS_CORETYPE", None)
    if kind:
        environment["OPENBLAS_CORETYPE"] = kind
    done = subprocess.run([sys.executable, "-c", MEASURE], env=environment, capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else None


def main():
    least = {}
    for _ in range(ROUNDS):
        for kind in TYPES:
            found = measure(kind)
            if found:
                known = least.setdefault(kind, found)
                least[kind] = {name: min(known[name], value) for name, value in found.items()}
    if not least:
        return
    cost = {kind: sum(math.log(value) for value in found.values()) for kind, found in least.items()}
    for kind, found in sorted(least.items(), key=lambda pair: cost[pair[0]]):
        times = ", ".join(f"{name}: {value * 1e3:.2f} ms" for name, value in found.items())
        print(f"  {kind or 'its own choice':16s} {times}", file=sys.stderr)
    print(min(cost, key=cost.get))


main()
