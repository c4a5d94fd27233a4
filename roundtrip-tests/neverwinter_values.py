"""What the comparisons of models with other readers share: the numbers of names, and how values are compared."""

import struct
import sys

# The numbers of controllers, by their names in the exchange format (nwn-mdl.md, section 4.2).
OF_ALL = {"POSITION": 8, "ORIENTATION": 20, "SCALE": 36}
OF_MESH = {"SELF_ILLUMINATION_COLOR": 100, "ALPHA": 128}
OF_LIGHT = {"COLOR": 76, "RADIUS": 88, "SHADOW_RADIUS": 96, "VERTICAL_DISPLACEMENT": 100, "MULTIPLIER": 140}
OF_EMITTER = {
    "ALPHA_END": 80, "ALPHA_START": 84, "BIRTH_RATE": 88, "BOUNCE": 92, "COLOR_END": 96, "COLOR_START": 108, "COMBINE_TIME": 120,
    "DRAG": 124, "FPS": 128, "FRAME_END": 132, "FRAME_START": 136, "GRAV": 140, "LIFE": 144, "MASS": 148, "P2P_BEZIER2": 152,
    "P2P_BEZIER3": 156, "PARTICLE_ROTATION": 160, "RANDOM_VELOCITY": 164, "SIZE_START": 168, "SIZE_END": 172, "SIZE_START_Y": 176,
    "SIZE_END_Y": 180, "SPREAD": 184, "THRESHOLD": 188, "VELOCITY": 192, "X_SIZE": 196, "Y_SIZE": 200, "BLUR_LENGTH": 204,
    "LIGHTNING_DELAY": 208, "LIGHTNING_RADIUS": 212, "LIGHTNING_SCALE": 216, "DETONATE": 228,
}
FLAGS = {
    "HEADER": 1, "LIGHT": 2, "EMITTER": 4, "CAMERA": 8, "REFERENCE": 0x10, "MESH": 0x20, "SKIN": 0x40, "ANIM": 0x80, "DANGLY": 0x100, "AABB": 0x200,
}
CLASSES = {"OTHER": 0, "EFFECT": 1, "TILE": 2, "CHARACTER": 4, "DOOR": 8}

# The number of values that have been compared.
count = 0


def single(value):
    """Returns the bits of a float of 32 bits. All that are no number are equal."""
    if isinstance(value, str):
        return "nan" if value.startswith("f32:") or value in ("NaN",) else struct.pack("<f", float(value))
    if value != value:
        return "nan"
    # Zero has a sign that arithmetic drops.
    return struct.pack("<f", value + 0.0)


def text(value):
    """Returns a name, which other programs have in lower case, without what follows its end."""
    return str(value["text"] if isinstance(value, dict) else value).lower()


def compare(place, ours, theirs):
    global count
    count += 1
    if ours != theirs:
        sys.exit(f"{sys.argv[0]}: {place}: expected {ours!r}, the other program reads {theirs!r}")


def flags_of(node):
    return sum(FLAGS[flag] for flag in node["flags"].split(" | "))


def controllers_of(flags):
    """Returns the names and the numbers of the controllers that a node with these flags can have."""
    return {**OF_ALL, **(OF_EMITTER if flags & 4 else OF_LIGHT if flags & 2 else OF_MESH if flags & 0x20 else {})}


def preorder(node):
    yield node
    for child in node.get("children", []):
        yield from preorder(child)
