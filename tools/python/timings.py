"""Measures the package against the program: read and save of a world, and the arrays of a large mesh.

    python timings.py gamez.zbd target/dist/bitexact

The world is enlarged to 13 MB by copies of its own models. Both jobs run in turn, 11 times each, on a file that has just been read.
Printed are the medians, the smallest and largest in brackets, and the median of the ratios of the pairs.
"""

import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

import bitexact
import numpy

SIZE, RUNS, VERTICES = 13_000_000, 11, 100_000


def enlarged(path, target):
    """Writes a world with copies of its models until it has SIZE bytes."""
    model = bitexact.read(path, "gamez")
    models = [item for item in model.get("/models/slots") if item]
    each = (len(model.to_bytes()) - len(model.textures) * 60) / len(models)
    while (missing := SIZE - len(model.to_bytes())) > 0:
        count = max(int(missing / each), 1)
        model.models.slots.extend(models[at % len(models)] for at in range(count))
        each = (len(model.to_bytes()) - SIZE + missing) / count
    model.save(target)
    return target.stat().st_size


def timed(job):
    begin = time.perf_counter()
    job()
    return (time.perf_counter() - begin) * 1000


def shown(times):
    return f"{statistics.median(times):.2f} ms [{min(times):.2f}-{max(times):.2f}]"


def main(path, program):
    warnings.simplefilter("ignore", bitexact.BitexactWarning)
    with tempfile.TemporaryDirectory() as folder:
        world, copy = pathlib.Path(folder, "gamez.zbd"), pathlib.Path(folder, "copy.zbd")
        print(f"world: {enlarged(path, world)} bytes")
        jobs = {
            "read and save": lambda: bitexact.read(world).save(copy, force=True),
            "program, verify": lambda: subprocess.run([program, "verify", "-q", world], check=True, stdout=subprocess.DEVNULL),
        }
        times = {name: [] for name in jobs}
        for run in range(RUNS + 1):
            for name, job in jobs.items():
                # The first run only warms up.
                times[name].append(timed(job)) if run else job()
        for name, measured in times.items():
            print(f"{name}: {shown(measured)}")
        ratios = [one / other for one, other in zip(*times.values())]
        print(f"ratio: {statistics.median(ratios):.2f} [{min(ratios):.2f}-{max(ratios):.2f}], goal 1.5")
        model = bitexact.read(path, "gamez")
        corners = numpy.arange(VERTICES * 3, dtype=numpy.float32).reshape(-1, 3)
        model.models.slots[0].vertices = corners
        model.save(copy, force=True)
        first, again = [], []
        for _ in range(RUNS):
            mesh = bitexact.read(copy).models.slots[0]
            first.append(timed(lambda: mesh.vertices))
            again.append(timed(lambda: mesh.vertices))
            assert mesh.vertices.shape == (VERTICES, 3) and numpy.array_equal(mesh.vertices, corners)
        print(f"vertices of {VERTICES}, first access: {shown(first)}, later: {shown(again)}, goal 1 ms")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
