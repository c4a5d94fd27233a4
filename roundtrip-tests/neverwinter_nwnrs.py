"""Compares compiled models, as nwnrs reads them, with the JSON that bitexact shows of them: the program of tools/nwnrs, then pairs of FILE and
JSON. Prints the number of values, and which files nwnrs does not read.

A list of numbers counts as one value. nwnrs 0.0.1 reads the plane of a box from where its face is, so that planes are not compared; it does
not have the areas of meshes, the index lists, nor the translations and rotations of bones. rollnw reads none of these either.
"""

import json
import subprocess
import sys

import neverwinter_values
from neverwinter_values import CLASSES, compare, controllers_of, flags_of, preorder, single, text

MESH = (
    "box_min", "box_max", "radius", "average", "diffuse", "ambient", "specular", "shininess", "shadow", "beaming", "render",
    "transparency_hint", "tile_fade", "texture_count", "rotate_texture",
)
DANGLY = ("displacement", "tightness", "period")
LIGHT = ("flare_radius", "priority", "ambient_only", "dynamic_type", "affect_dynamic", "shadow", "generate_flare", "fading")
EMITTER = (
    "dead_space", "blast_radius", "blast_length", "x_grid", "y_grid", "space_type", "update", "render", "blend", "texture", "chunk_name",
    "two_sided", "looping", "render_order", "flags",
)
REFERENCE = ("model", "reattachable")


def exact(value):
    """Returns numbers by their bits. A float that is not finite is null in the JSON of the other program."""
    if isinstance(value, list):
        return [exact(it) for it in value]
    if isinstance(value, bool):
        return int(value)
    if value is None or (isinstance(value, str) and value in ("NaN", "Infinity", "-Infinity")) or str(value).startswith("f32:"):
        return "not finite"
    return single(value) if isinstance(value, float) else value


def compare_members(place, ours, theirs, members):
    for member in members:
        own, other = ours[member], theirs[member]
        if isinstance(other, str):
            compare(f"{place}/{member}", text(own), other.lower())
        else:
            compare(f"{place}/{member}", exact(own), exact(other))


def unsigned(values):
    return [[it & 0xFFFF for it in value] if isinstance(value, list) else value & 0xFFFF for value in values]


def compare_controllers(place, ours, theirs):
    kinds = controllers_of(flags_of(ours))
    own = ours.get("controllers", [])
    compare(f"{place}/controllers", [kinds.get(it["kind"], it["kind"]) for it in own], [it["kind"] for it in theirs["controllers"]])
    for one, other in zip(own, theirs["controllers"]):
        here, rows = f"{place}/{one['kind']}", one.get("rows", [])
        compare(f"{here}/times", [exact(row[0]) for row in rows], exact(other["times"]))
        compare(f"{here}/values", [exact(row[1:]) for row in rows], exact(other["values"]))


def compare_mesh(place, ours, theirs, stream):
    compare_members(f"{place}/mesh", ours["mesh"], theirs, MESH)
    compare(f"{place}/textures", [text(it) for it in ours["mesh"]["textures"]], [(it or "").lower() for it in theirs["textures"]])
    faces = ours.get("faces", [])
    compare(f"{place}/faces", len(faces), len(theirs["faces"]))
    for nth, (one, other) in enumerate(zip(faces, theirs["faces"])):
        compare_members(f"{place}/faces/{nth}", one, other, ("normal", "distance", "surface"))
        for member in ("adjacent", "vertices"):
            compare(f"{place}/faces/{nth}/{member}", unsigned(one[member]), other[member])
    for member in ("vertices", "normals", "colors"):
        compare(f"{place}/{member}", exact(stream.get(member, [])), exact(theirs[member]))
    sets = [exact(it) for it in theirs["coordinates"] if it]
    compare(f"{place}/coordinates", [exact(stream["coordinates"])] if stream.get("coordinates") else [], sets)


def compare_node(place, ours, theirs, stream):
    compare(f"{place}/name", text(ours["name"]), theirs["name"].lower())
    compare(f"{place}/flags", flags_of(ours), theirs["flags"])
    compare(f"{place}/inherit_color", ours.get("inherit_color", 0), theirs["inherit_color"])
    compare_controllers(place, ours, theirs)
    # In animations, the structures are leftover memory, which has no values.
    if stream is None:
        return
    for name, members in (("light", LIGHT), ("emitter", EMITTER), ("reference", REFERENCE), ("dangly", DANGLY)):
        compare(f"{place}/{name}", name in ours, theirs[name] is not None)
        if name in ours:
            compare_members(f"{place}/{name}", ours[name], theirs[name], members)
    if "dangly" in ours:
        compare(f"{place}/constraints", exact(ours.get("constraints", [])), exact(theirs["dangly"]["constraints"]))
    boxes = ours.get("boxes", [])
    compare(f"{place}/boxes", len(boxes), len(theirs["boxes"]))
    for nth, (one, other) in enumerate(zip(boxes, theirs["boxes"])):
        compare_members(f"{place}/boxes/{nth}", one, other, ("min", "max", "face"))
    compare(f"{place}/mesh", "mesh" in ours, theirs["mesh"] is not None)
    if "mesh" in ours:
        compare_mesh(place, ours, theirs["mesh"], stream)
    compare(f"{place}/skin", "map" in ours, theirs["skin"] is not None)
    if "map" in ours:
        skin = theirs["skin"]
        compare(f"{place}/map", unsigned(ours["map"]), skin["map"])
        compare(f"{place}/weights", exact(stream.get("weights", [])), exact(skin["weights"]))
        compare(f"{place}/slots", unsigned(stream.get("slots", [])), skin["slots"])
        compare(f"{place}/bones", unsigned(ours["bones"])[:len(skin["bones"])], skin["bones"])


def compare_numbers(place, root, theirs, by_name):
    """Compares the part numbers of a tree. A node without one of its own has that of its name, which only one node may have, or in the
    geometry that of its place.
    """
    for nth, (one, other) in enumerate(zip(preorder(root), preorder(theirs))):
        name = text(one["name"])
        if "own_part_number" not in one and by_name is not None and by_name.get(name) is None:
            continue
        number = one["own_part_number"]["number"] if "own_part_number" in one else nth if by_name is None else by_name[name]
        compare(f"{place}/{nth} ({name})/part_number", number, -1 if other["part_number"] is None else other["part_number"])


def compare_tree(place, ours, theirs, streams):
    stream = None if streams is None else next(streams) if "mesh" in ours else {}
    compare_node(f"{place} ({text(ours['name'])})", ours, theirs, stream)
    children = ours.get("children", [])
    compare(f"{place}/children", len(children), len(theirs["children"]))
    for nth, (one, other) in enumerate(zip(children, theirs["children"])):
        compare_tree(f"{place}/{nth}", one, other, streams)


def compare_model(path, ours, theirs):
    if "error" in theirs:
        print(path, "is not read:", theirs["error"])
        return
    if "order" in ours:
        print(path, "keeps its pieces in another order, with its values beside them: not compared")
        return
    compare(f"{path}/name", text(ours["name"]), theirs["name"].lower())
    compare(f"{path}/super_model", text(ours["super_model"]), (theirs["super_model"] or "null").lower())
    compare(f"{path}/classification", CLASSES[ours["classification"]], theirs["flags"])
    compare(f"{path}/fog", ours["fog"], theirs["fog"])
    for member in ("animation_scale", "box_min", "box_max", "radius"):
        compare(f"{path}/{member}", exact(ours[member]), exact(theirs[member]))
    meshes = [node for node in preorder(ours["root"]) if "mesh" in node]
    streams = ours.get("raw", [])[-len(meshes):] if meshes else []
    compare_tree(f"{path}/root", ours["root"], theirs["root"], iter(streams))
    compare(f"{path}/nodes", sum(1 for _ in preorder(ours["root"])) + ours.get("inherited", 0), theirs["nodes"])
    compare_numbers(path, ours["root"], theirs["root"], None)
    numbers = {}
    for it in preorder(theirs["root"]):
        name, number = it["name"].lower(), -1 if it["part_number"] is None else it["part_number"]
        numbers[name] = None if name in numbers else number
    animations = ours.get("animations", [])
    compare(f"{path}/animations", len(animations), len(theirs["animations"]))
    for nth, (one, other) in enumerate(zip(animations, theirs["animations"])):
        place = f"{path}/animations/{nth}"
        compare(f"{place}/name", text(one["name"]), other["name"].lower())
        compare(f"{place}/animation_root", text(one["animation_root"]), (other["animation_root"] or "").lower())
        compare(f"{place}/length", exact(one["length"]), exact(other["length"]))
        compare(f"{place}/transition", exact(one["transition"]), exact(other["transition"]))
        events = [(exact(it["time"]), text(it["name"])) for it in one.get("events", [])]
        compare(f"{place}/events", events, [(exact(it["time"]), it["name"].lower()) for it in other["events"]])
        compare_tree(f"{place}/root", one["root"], other["root"], None)
        compare_numbers(place, one["root"], other["root"], numbers)


program, paths, shown = sys.argv[1], sys.argv[2::2], sys.argv[3::2]
printed = subprocess.run([program, *paths], check=True, capture_output=True, text=True).stdout.splitlines()
compare("lines", len(paths), len(printed))
for path, data, line in zip(paths, shown, printed):
    with open(data, encoding="utf-8") as file:
        compare_model(path, json.load(file), json.loads(line))
print(neverwinter_values.count, "values")
