"""Scales all nodes of a model of Neverwinter Nights: the vertices of their meshes, and their positions.

    python scale_model.py c_boar.mdl 1.5 scaled.mdl
"""

import argparse
import sys

import bitexact


def nodes(node):
    """Yields a node and all below it."""
    yield node
    for child in node.children if "children" in node else ():
        yield from nodes(child)


def scale(path, factor, target):
    """Writes a scaled copy of a binary model. Returns the number of nodes."""
    model = bitexact.read(path, "mdl")
    if "root" not in model:
        raise ValueError(f"{path}: its nodes are no tree, so it is kept in pieces")
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
    # Boxes and radii are only checked by default, because models of the game have others. A model without them has no such rule.
    try:
        model.edit(recompute="/")
    except bitexact.BitexactError as error:
        if "no rule computes a value here" not in str(error):
            raise
    model.save(target)
    return count


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("model")
    parser.add_argument("factor", type=float)
    parser.add_argument("target")
    args = parser.parse_args()
    try:
        print(f"{scale(args.model, args.factor, args.target)} nodes")
    except (bitexact.BitexactError, OSError, ValueError) as error:
        sys.exit(str(error))
