"""Plots a level of Marathon 2 or Infinity with matplotlib: its lines, and the objects in it.

    python plot_level.py Map.sceA 0 level.png
"""

import sys

import bitexact
import numpy

# A world unit is 1,024 parts.
UNIT = 1024


def points_of(level):
    """Returns the points of a level as x and y, in world units."""
    for tag, name in (("EPNT", "endpoints"), ("PNTS", "points")):
        if tag in level.entries:
            points = level.entries[tag][name]
            if points.dtype.names:
                points = numpy.stack([points["x"], points["y"]], axis=1)
            return points.astype(float) / UNIT
    raise LookupError("the level has no points")


def lines_of(level):
    """Returns the lines of a level: for each, its two points."""
    points = points_of(level)
    ends = level.entries["LINS"].lines["endpoints"]
    valid = (ends >= 0).all(axis=1) & (ends < len(points)).all(axis=1)
    return points[ends[valid]]


def plot(path, number, target):
    """Draws a level into an image."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.collections import LineCollection

    wad = bitexact.read(path, "wad")
    level = wad.entries[str(number)]
    figure, axes = pyplot.subplots(figsize=(10, 10))
    axes.add_collection(LineCollection(lines_of(level), linewidths=0.8, colors="black"))
    if "OBJS" in level.entries:
        objects = level.entries["OBJS"].objects
        places = numpy.stack([objects["x"], objects["y"]], axis=1) / UNIT
        axes.scatter(*places.T, s=8, c=objects["group"].astype(int), cmap="tab10")
    axes.autoscale()
    axes.set_aspect("equal")
    # The y of a level points down.
    axes.invert_yaxis()
    figure.savefig(target, dpi=120)
    pyplot.close(figure)


if __name__ == "__main__":
    plot(*sys.argv[1:])
