"""Scales all nodes of a model of Neverwinter Nights: the vertices of their meshes, and their positions.

    python scale_model.py c_boar.mdl 1.5 scaled.mdl
"""

import sys

import bitexact


def nodes(node):
    """Yields a node and all below it."""
    yield node
    for child in node.children if "children" in node else ():
        yield from nodes(child)


def scale(path, factor, target):
    """Writes a scaled copy of a model. Returns the number of nodes."""
    model = bitexact.read(path, "mdl")
    count = 0
    for node in nodes(model.root):
        count += 1
        if "controllers" in node:
            # They have an encoding of their own, so they are plain data: changed, and then set.
            controllers = node.controllers
            for controller in controllers:
                if controller["kind"] == "POSITION":
                    # Each row begins with its time.
                    controller["rows"] = [[time, *(value * factor for value in values)] for time, *values in controller["rows"]]
            node.controllers = controllers
    for mesh in model.raw:
        if "vertices" in mesh:
            mesh.vertices *= factor
    # Boxes and radii are computed by rules that are only checked, so they are recomputed on request.
    model.save(target)
    return count


if __name__ == "__main__":
    print(f"{scale(sys.argv[1], float(sys.argv[2]), sys.argv[3])} nodes")
