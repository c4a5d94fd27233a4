"""Compares models, as rollnw reads them, with the JSON that bitexact unpacks them to: pairs of FILE and JSON. Prints the number of values, and
which files it does not read.

A FILE ends in .text.mdl if it is text. Of compiled models, rollnw 0.45 does not read the structures of lights and emitters, but their
controllers; of texts it does, but not all of their values (see IGNORED). It makes the vertices and boxes of a text in its own way, so these
are compared in compiled models. Rotations of texts are compared to the last digits, since they are angles there.
"""

import json
import os
import struct
import sys
import tempfile

import neverwinter_values
import rollnw
from neverwinter_values import CLASSES, compare, controllers_of, flags_of, preorder, single, text
from rollnw import kernel, model

# Our member of a structure, and the attribute of rollnw.
MESH = {
    "diffuse": "diffuse", "ambient": "ambient", "specular": "specular", "shininess": "shininess", "shadow": "shadow", "beaming": "beaming",
    "render": "render", "transparency_hint": "transparencyhint", "tile_fade": "tilefade", "light_mapped": "lightmapped",
    "rotate_texture": "rotatetexture", "box_min": "bmin", "box_max": "bmax",
}
DANGLY = {"displacement": "displacement", "tightness": "tightness", "period": "period"}
LIGHT = {
    "flare_radius": "flareradius", "priority": "lightpriority", "ambient_only": "ambientonly", "affect_dynamic": "affectdynamic",
    "shadow": "shadow", "generate_flare": "generateflare", "fading": "fadinglight",
}
EMITTER = {
    "dead_space": "deadspace", "blast_radius": "blastradius", "blast_length": "blastlength", "x_grid": "xgrid", "y_grid": "ygrid",
    "space_type": "spawntype", "update": "update", "render": "render", "blend": "blend", "texture": "texture", "chunk_name": "chunkname",
    "two_sided": "twosidedtex", "looping": "loop", "render_order": "renderorder", "flags": "flags",
}
REFERENCE = {"model": "refmodel", "reattachable": "reattachable"}

# What rollnw does not read of a text: uninitialized, or as if it were not there.
IGNORED = ("box_min", "box_max", "ambient", "beaming", "space_type")
# The flags of emitters that rollnw reads of a text.
READ = 0x1F


def number(value):
    return value.value if hasattr(value, "value") else value


def parts(value):
    return [value.x, value.y, value.z] if hasattr(value, "z") else [value.x, value.y]


def compare_value(place, ours, theirs):
    if isinstance(ours, list):
        return compare(place, [single(it) for it in ours], [single(it) for it in parts(theirs)])
    if isinstance(theirs, bool):
        return compare(place, ours not in (0, False), theirs)
    if isinstance(theirs, str):
        return compare(place, text(ours), theirs.lower())
    if isinstance(theirs, float):
        return compare(place, single(ours), single(theirs))
    return compare(place, ours, number(theirs))


def is_text(place):
    return ".text.mdl" in place


def compare_members(place, ours, theirs, members):
    for own, other in members.items():
        if own not in ours or (is_text(place) and own in IGNORED):
            continue
        if own == "flags" and is_text(place):
            compare(f"{place}/flags", ours[own] & READ, theirs.flags & READ)
            continue
        compare_value(f"{place}/{own}", ours[own], getattr(theirs, other))


def compare_controllers(place, ours, theirs):
    flags = flags_of(ours)
    known = controllers_of(flags)
    found = {}
    for controller in ours.get("controllers", []):
        found.setdefault(controller["kind"], controller.get("rows", []))
    for name, kind in known.items():
        rows = found.get(name)
        read = [theirs.get_controller(kind, is_key) for is_key in (False, True)]
        read = [(list(times), list(values)) for key, times, values in read if key is not None]
        if rows is None or not rows:
            compare(f"{place}/{name}", [], read)
            continue
        if not read:
            sys.exit(f"{sys.argv[0]}: {place}/{name}: expected {rows!r}, rollnw reads none")
        times, values = read[0]
        if name == "ORIENTATION" and is_text(place):
            turns = [it for row in rows for it in row[1:]]
            compare(f"{place}/{name}", len(turns), len(values))
            for at in range(0, len(turns), 4):
                # A rotation and its negative are the same.
                ours_turn, their_turn = turns[at:at + 4], values[at:at + 4]
                near = [all(abs(one - sign * other) <= 1e-5 for one, other in zip(ours_turn, their_turn)) for sign in (1, -1)]
                compare(f"{place}/{name}/{at // 4}", True, any(near))
        else:
            compare(f"{place}/{name}", [single(it) for row in rows for it in row[1:]], [single(it) for it in values])
        if times:
            compare(f"{place}/{name}/times", [single(row[0]) for row in rows], [single(it) for it in times])


def compare_mesh(place, ours, theirs, streams):
    compare_members(place + "/mesh", ours["mesh"], theirs, MESH)
    # A model has the word NULL, or nothing.
    names = {"null": ""}
    texture = text(ours["mesh"]["textures"][0])
    compare(f"{place}/texture", names.get(texture, texture), names.get(theirs.bitmap.lower(), theirs.bitmap.lower()))
    # Nor does it read the vertices of animated meshes.
    if is_text(place) or "anim_mesh" in ours:
        return
    compare(f"{place}/faces", [it for face in ours.get("faces", []) for it in face["vertices"]], list(theirs.indices))
    if "dangly" in ours:
        compare_members(place + "/dangly", ours["dangly"], theirs, DANGLY)
    if not streams or not hasattr(theirs, "vertices"):
        return
    all_values = list(theirs.vertices)
    compare(f"{place}/vertices", len(streams["vertices"]), len(all_values))
    for name, attribute in (("vertices", "position"), ("normals", "normal"), ("coordinates", "tex_coords")):
        for nth, (our, their) in enumerate(zip(streams.get(name, []), all_values)):
            compare_value(f"{place}/{name}/{nth}", our, getattr(their, attribute))


def compare_node(place, ours, theirs, streams, animated=False):
    compare(f"{place}/name", text(ours["name"]), theirs.name.lower())
    compare(f"{place}/flags", flags_of(ours), number(theirs.type))
    compare(f"{place}/inherit_color", ours.get("inherit_color", 0) != 0, bool(theirs.inheritcolor))
    compare(f"{place}/children", [text(it["name"]) for it in ours.get("children", [])], [it.name.lower() for it in theirs.children])
    compare_controllers(place, ours, theirs)
    # In animations, these structures are leftover memory, which no text has.
    if animated:
        return
    if "light" in ours and is_text(place):
        compare_members(place + "/light", ours["light"], theirs, LIGHT)
    if "emitter" in ours and is_text(place):
        compare_members(place + "/emitter", ours["emitter"], theirs, EMITTER)
    if "reference" in ours:
        compare_members(place + "/reference", ours["reference"], theirs, REFERENCE)
    if "mesh" in ours and streams is not None:
        compare_mesh(place, ours, theirs, streams)


def compare_tree(place, root, theirs, streams):
    ours, nodes = list(preorder(root)), list(theirs.nodes())
    compare(f"{place}/nodes", len(ours), len(nodes))
    # The numbers of nodes in both orders can differ; names are enough where they are unique.
    by_name = {}
    for node in nodes:
        by_name.setdefault(node.name.lower(), []).append(node)
    for nth, node in enumerate(ours):
        named = by_name.get(text(node["name"]), [])
        if not named:
            sys.exit(f"{sys.argv[0]}: {place}: rollnw has no node {text(node['name'])}")
        here = None if streams is None else next(streams) if "mesh" in node else {}
        compare_node(f"{place}/{nth} ({text(node['name'])})", node, named.pop(0), here, streams is None)


def compare_model(path, ours):
    read = model.load(path)
    if not read or not read.valid():
        print(path, "is not read")
        return
    theirs = read.model
    compare(f"{path}/name", text(ours["name"]), theirs.name.lower())
    compare(f"{path}/super_model", text(ours["super_model"]), theirs.supermodel_name.lower() or "null")
    for name, attribute in (("animation_scale", "animationscale"), ("radius", "radius"), ("box_min", "bmin"), ("box_max", "bmax")):
        # Of a text without one, the compilers make the radius.
        if name in ours and not (is_text(path) and name == "radius"):
            compare_value(f"{path}/{name}", ours[name], getattr(theirs, attribute))
    compare(f"{path}/classification", CLASSES[ours["classification"]], number(theirs.classification))
    animations = ours.get("animations", [])
    compare(f"{path}/animations", len(animations), theirs.animation_count())
    meshes = [node for node in preorder(ours["root"]) if "mesh" in node]
    streams = ours.get("raw", [])[-len(meshes):] if meshes else []
    compare_tree(path, ours["root"], theirs, iter(streams))
    for nth, animation in enumerate(animations):
        place, other = f"{path}/animations/{nth}", theirs.get_animation(nth)
        compare(f"{place}/name", text(animation["name"]), other.name.lower())
        compare_value(f"{place}/length", animation["length"], other.length)
        compare_value(f"{place}/transition", animation["transition"], other.transition_time)
        compare(f"{place}/animation_root", text(animation["animation_root"]), other.anim_root.lower())
        events = animation.get("events", [])
        compare(f"{place}/events", [(single(it["time"]), text(it["name"])) for it in events], [(single(it.time), it.name.lower()) for it in other.events])
        compare_tree(place, animation["root"], other, None)


def start():
    """Starts rollnw with an empty game: texts and super models need its tables of strings and resources."""
    game = tempfile.mkdtemp()
    os.makedirs(os.path.join(game, "lang", "en", "data"))
    os.makedirs(os.path.join(game, "user", "nwsync"))
    with open(os.path.join(game, "lang", "en", "data", "dialog.tlk"), "wb") as file:
        file.write(b"TLK V3.0" + struct.pack("<III", 0, 1, 60) + bytes(40))
    kernel.config().set_paths(game, os.path.join(game, "user"))
    kernel.config().set_version(rollnw.GameVersion.vEE)
    try:
        kernel.start()
    except RuntimeError as error:
        # The rules of the game come last, and are of no use here.
        if "rules" not in str(error):
            raise


start()
for path, data in zip(sys.argv[1::2], sys.argv[2::2]):
    with open(data, encoding="utf-8") as file:
        compare_model(path, json.load(file))
print(neverwinter_values.count, "values")
