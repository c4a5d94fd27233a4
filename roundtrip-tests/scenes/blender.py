"""Opens files in Blender through the add-on, edits them, saves them, and prints a line of JSON for each.

Arguments after --: the folder of the add-on, then FILE EDIT TARGET for each.
"""

import json
import sys

arguments = sys.argv[sys.argv.index("--") + 1 :]
sys.path.insert(0, arguments[0])

import bpy  # before its other modules, which Python alone does not find
import bmesh
from mathutils import Quaternion, Vector

import bitexact as addon


def meshes():
    """Returns the objects with a mesh, in the order of their names."""
    found = [it for it in bpy.data.objects if it.type == "MESH"]
    return sorted(found, key=lambda it: it.name)


def none():
    return ""


def move():
    mesh = meshes()[0].data
    # Copies of it belong to faces that cannot share vertices in Blender.
    place = mesh.vertices[0].co.copy()
    for vertex in mesh.vertices:
        if vertex.co == place:
            vertex.co.x += 3.0
    return mesh.name


def rename():
    it = meshes()[0]
    it.name = "renamed"
    return it.name


def owner(action):
    """Returns the object that an action moves."""
    for it in bpy.data.objects:
        data = it.animation_data
        strips = [strip for track in data.nla_tracks for strip in track.strips] if data else []
        if any(strip.action == action for strip in strips) or (data and data.action == action):
            return it
    return None


def key():
    """Changes the second key of a position or, without one, of a rotation; returns its node, its path, its number, and the new value
    in the axes of glTF."""
    for path, size in (("location", 3), ("rotation_quaternion", 4)):
        for action in sorted(bpy.data.actions, key=lambda it: it.name):
            curves = sorted((it for it in addon.curves_of(action) if it.data_path == path), key=lambda it: it.array_index)
            it = owner(action)
            if it is None or len(curves) != size or min(len(curve.keyframe_points) for curve in curves) < 3:
                continue
            points = [curve.keyframe_points[1] for curve in curves]
            now = Vector([point.co[1] for point in points])
            if path == "location":
                now.x += 0.5
                value = [now.x, now.z, -now.y]
            else:
                now = Quaternion(now) @ Quaternion((0.0, 0.0, 1.0), 0.5)
                value = [now.x, now.z, -now.y, now.w]
            for point, part in zip(points, now):
                point.co[1] = part
            for curve in curves:
                curve.update()
            return {"node": it.name, "path": path, "key": 1, "value": value}
    raise RuntimeError("no key")


def delete():
    mesh = meshes()[0].data
    grid = bmesh.new()
    grid.from_mesh(mesh)
    grid.faces.ensure_lookup_table()
    bmesh.ops.delete(grid, geom=[grid.faces[0]], context="FACES_ONLY")
    grid.to_mesh(mesh)
    grid.free()
    return mesh.name


def drop():
    """Deletes a mesh without children, with its object."""
    it = next(it for it in meshes() if not it.children)
    name = it.name
    bpy.data.objects.remove(it)
    return name


def add():
    """Adds a cube with a material of the model and an empty object below it, to the first mesh."""
    like = meshes()[0]
    bpy.ops.mesh.primitive_cube_add(size=0.5)
    cube = bpy.context.object
    cube.name = "cube"
    cube.data.materials.append(like.data.materials[0])
    cube.parent = like
    empty = bpy.data.objects.new("tip", None)
    bpy.context.scene.collection.objects.link(empty)
    empty.parent = cube
    empty.location = (0.0, 0.0, 1.0)
    return cube.name


def copy():
    """Copies an object with its mesh."""
    it = next(it for it in meshes() if not it.children)
    twin = it.copy()
    twin.data = it.data.copy()
    bpy.context.scene.collection.objects.link(twin)
    twin.location.x += 1.0
    return twin.name


def link():
    """Copies an object and moves the copy, which has the same mesh."""
    it = next(it for it in meshes() if not it.children)
    twin = it.copy()
    bpy.context.scene.collection.objects.link(twin)
    twin.location.x += 1.0
    return twin.name


rest = arguments[1:]
for file, edit, target in zip(rest[::3], rest[1::3], rest[2::3]):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    row = {"file": file, "edit": edit, "version": bpy.app.version_string}
    try:
        addon.open_file(file)
        row["of"] = globals()[edit]()
        row["told"] = addon.save_file(target)
    except Exception as error:
        row["error"] = str(error)
    print("ROW " + json.dumps(row), flush=True)
