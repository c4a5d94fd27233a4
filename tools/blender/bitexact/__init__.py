# SPDX-License-Identifier: MIT OR Apache-2.0
"""Opens models of Zipper and Neverwinter Nights files in Blender and saves them back.

The work is done by the program `bitexact`: `export` writes a glTF file that Blender opens, `import` takes the changes back. What has
not changed keeps its bytes.
"""

bl_info = {
    "name": "bitexact",
    "author": "the authors of bitexact",
    "version": (0, 2, 0),
    "blender": (3, 4, 0),
    "location": "File > Import, File > Export",
    "description": "Opens models of Zipper and Neverwinter Nights files, and saves changes back into them",
    "category": "Import-Export",
}

import array
import hashlib
import os
import shutil
import subprocess
import tempfile

import bmesh
import bpy
from bpy.props import BoolProperty, CollectionProperty, StringProperty
from bpy.types import AddonPreferences, Operator, OperatorFileListElement
from bpy_extras.io_utils import ExportHelper, ImportHelper

# The custom property of a scene with the game file that it shows.
FILE = "bitexact_file"
# The custom property of a scene whose colors are exported as they are.
COLORS = "bitexact_colors"
# The custom properties of a mesh with a digest of its normals when it was opened, and with 0 if it still has them: Blender 4 changes
# normals of some polygons by itself.
OPENED = "bitexact_opened"
NORMALS = "bitexact_normals"
# The factors of the check in `src/media/gltf/marks.rs`.
SQUARE, LINEAR, SHIFT, MODULUS = 31, 7919, 17, 8191


class Preferences(AddonPreferences):
    bl_idname = __name__

    program: StringProperty(
        name="Program",
        description="The program bitexact; found on the path if empty",
        subtype="FILE_PATH",
    )

    def draw(self, _context):
        self.layout.prop(self, "program")


def program():
    """Returns the path of the program."""
    addon = bpy.context.preferences.addons.get(__name__)
    chosen = addon.preferences.program if addon else ""
    found = chosen or os.environ.get("BITEXACT") or shutil.which("bitexact")
    if not found:
        raise RuntimeError("the program bitexact is not on the path; set it in the preferences of the add-on")
    return bpy.path.abspath(found)


def run(*args):
    """Runs the program and returns its messages."""
    done = subprocess.run([program(), *args], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip() or f"bitexact ended with code {done.returncode}")
    return (done.stdout + done.stderr).strip()


def mend_numpy():
    """Gives numpy the names back that the glTF add-on of Blender 3.4 uses and numpy 1.24 dropped."""
    import numpy

    for name, kind in (("bool", bool), ("int", int), ("float", float), ("object", object)):
        if name not in numpy.__dict__:
            setattr(numpy, name, kind)


def mend_colors():
    """Lets the glTF add-on of Blender 3.4 export the colors of corners, which it takes from the wrong corners.

    Returns True if colors are exported as they are.
    """
    if bpy.app.version >= (3, 5, 0):
        return True
    try:
        from io_scene_gltf2.blender.exp.gltf2_blender_gather_primitives_extract import PrimitiveCreator
    except ImportError:
        return False
    import numpy

    def get(self, attr):
        data = self.blender_mesh.color_attributes[self.blender_mesh.color_attributes.render_color_index].data
        colors = numpy.empty(len(data) * 4, dtype=numpy.float32)
        data.foreach_get("color", colors)
        colors = colors.reshape(-1, 4)
        # There is a dot for each corner, in the order of the corners.
        if attr["blender_domain"] == "POINT":
            colors = colors[self.dots["vertex_index"]]
        for part in range(4):
            self.dots[attr["gltf_attribute_name"] + str(part)] = colors[:, part]

    PrimitiveCreator._PrimitiveCreator__get_color_attribute = get
    return True


def known(options, operator):
    """Returns the options that this version of an operator has."""
    names = operator.get_rna_type().properties.keys()
    return {name: value for name, value in options.items() if name in names}


def vertex_of(uv):
    """Returns the number of a vertex from its mark, or None."""
    number, check = round(uv[0]), 1.0 - uv[1]
    expected = (number * number * SQUARE + number * LINEAR + SHIFT) % MODULUS
    return number if abs(uv[0] - number) < 0.01 and abs(check - expected) < 0.01 else None


def corner_normals(mesh):
    """Returns the normal of every corner."""
    if hasattr(mesh, "corner_normals"):
        return [tuple(it.vector) for it in mesh.corner_normals]
    mesh.calc_normals_split()
    normals = [tuple(loop.normal) for loop in mesh.loops]
    mesh.free_normals_split()
    return normals


def digest(mesh):
    """Returns a digest of the normals of all corners."""
    normals = array.array("f", (part for normal in corner_normals(mesh) for part in normal))
    return hashlib.sha256(normals.tobytes()).hexdigest()


def weld(mesh):
    """Merges the copies of each vertex that glTF requires, so that they move together."""
    layer = mesh.uv_layers[-1] if len(mesh.uv_layers) > 1 else None
    if layer is None:
        return
    numbers = {}
    for loop in mesh.loops:
        numbers.setdefault(loop.vertex_index, vertex_of(layer.data[loop.index].uv))
    # A face must not get the vertices of another one, nor one vertex twice: such a face keeps its own vertices.
    seen, kept = set(), set()
    for polygon in mesh.polygons:
        corners = tuple(sorted(-1 - it if numbers.get(it) is None else numbers[it] for it in polygon.vertices))
        if corners in seen or len(set(corners)) < len(corners):
            kept.update(polygon.vertices)
        seen.add(corners)
    first, merged = {}, {}
    for vertex in range(len(mesh.vertices)):
        number = numbers.get(vertex)
        if number is not None and vertex not in kept:
            to = first.setdefault(number, vertex)
            if to != vertex:
                merged[vertex] = to
    if not merged:
        return
    normals, faces = corner_normals(mesh), len(mesh.polygons)
    grid = bmesh.new()
    grid.from_mesh(mesh)
    grid.verts.ensure_lookup_table()
    bmesh.ops.weld_verts(grid, targetmap={grid.verts[vertex]: grid.verts[to] for vertex, to in merged.items()})
    if len(grid.faces) == faces:
        grid.to_mesh(mesh)
        mesh.normals_split_custom_set(normals)
    grid.free()


def curves_of(action):
    """Returns the curves of an action, which Blender 5 keeps in layers."""
    if hasattr(action, "fcurves"):
        return list(action.fcurves)
    strips = [strip for layer in action.layers for strip in layer.strips]
    return [curve for strip in strips for bag in getattr(strip, "channelbags", ()) for curve in bag.fcurves]


def snap(action):
    """Moves keys that are a rounding error away from a frame onto it: the exporter of Blender 3.4 fails on others."""
    for curve in curves_of(action):
        for key in curve.keyframe_points:
            frame = round(key.co[0])
            if 0 < abs(key.co[0] - frame) < 0.01:
                key.co[0] = frame


def open_file(path, textures=()):
    """Opens the models of a game file in the current scene, and returns the messages of the program."""
    mend_numpy()
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "model.glb")
        packages = [option for package in textures for option in ("--textures", package)]
        told = run("export", path, model, "--no-skins", *packages)
        before = set(bpy.data.meshes), set(bpy.data.actions)
        # Animations of Neverwinter Nights have 30 frames per second.
        bpy.context.scene.render.fps = 30
        bpy.ops.import_scene.gltf(filepath=model)
    for mesh in set(bpy.data.meshes) - before[0]:
        weld(mesh)
        mesh[OPENED] = digest(mesh)
    for action in set(bpy.data.actions) - before[1]:
        snap(action)
    bpy.context.scene[FILE] = os.path.abspath(path)
    return told


def save_file(target, dry_run=False):
    """Saves the changes into a game file, and returns the messages of the program."""
    source = bpy.context.scene.get(FILE)
    if not source:
        raise RuntimeError("this scene is not from a game file; open one with File > Import first")
    mend_numpy()
    bpy.context.scene[COLORS] = int(mend_colors())
    for mesh in bpy.data.meshes:
        if OPENED in mesh:
            mesh[NORMALS] = int(mesh[OPENED] != digest(mesh))
    options = {
        "export_format": "GLB",
        "export_extras": True,
        "export_apply": False,
        "export_yup": True,
        "export_texcoords": True,
        "export_normals": True,
        "export_colors": True,
        "export_attributes": True,
        "export_all_vertex_colors": True,
        # Blender 5 writes white colors in place of those that no material uses.
        "export_vertex_color": "ACTIVE",
        "export_active_vertex_color_when_no_material": True,
        "export_animations": True,
        "export_force_sampling": False,
        "export_nla_strips": True,
        "export_skins": False,
        "use_selection": False,
    }
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "model.glb")
        operator = bpy.ops.export_scene.gltf
        try:
            operator(filepath=model, **known(options, operator))
        except RuntimeError:
            # Blender 3.4 fails on some curves; sampled ones are compared with the keys of the file.
            options["export_force_sampling"] = True
            operator(filepath=model, **known(options, operator))
        if dry_run:
            return run("import", source, model, "--dry-run")
        if os.path.abspath(target) == source:
            return run("import", source, model, "--backup")
        return run("import", source, model, "--output", target, "--force")


class Open(Operator, ImportHelper):
    """Open the models of a game file"""

    bl_idname = "import_scene.bitexact"
    bl_label = "Open game file"
    bl_options = {"UNDO"}

    filter_glob: StringProperty(default="*.zbd;*.mdl;*.ZBD;*.MDL", options={"HIDDEN"})
    textures: StringProperty(
        name="Textures",
        description="Texture packages of Zipper games, separated by semicolons",
    )
    files: CollectionProperty(type=OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})

    def execute(self, _context):
        packages = [package.strip() for package in self.textures.split(";") if package.strip()]
        try:
            told = open_file(self.filepath, packages)
        except RuntimeError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, told)
        return {"FINISHED"}


class Save(Operator, ExportHelper):
    """Save the changes into a game file"""

    bl_idname = "export_scene.bitexact"
    bl_label = "Save game file"

    filename_ext = ""
    check_extension = None
    dry_run: BoolProperty(name="Only show", description="Show what would change without writing anything")

    def invoke(self, context, event):
        self.filepath = context.scene.get(FILE, "")
        return ExportHelper.invoke(self, context, event)

    def execute(self, _context):
        try:
            told = save_file(self.filepath, self.dry_run)
        except RuntimeError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        for line in told.splitlines():
            self.report({"INFO"}, line)
        return {"FINISHED"}


def open_entry(self, _context):
    self.layout.operator(Open.bl_idname, text="Game file by bitexact (.zbd, .mdl)")


def save_entry(self, _context):
    self.layout.operator(Save.bl_idname, text="Game file by bitexact (.zbd, .mdl)")


CLASSES = (Preferences, Open, Save)


def register():
    for it in CLASSES:
        bpy.utils.register_class(it)
    bpy.types.TOPBAR_MT_file_import.append(open_entry)
    bpy.types.TOPBAR_MT_file_export.append(save_entry)


def unregister():
    bpy.types.TOPBAR_MT_file_import.remove(open_entry)
    bpy.types.TOPBAR_MT_file_export.remove(save_entry)
    for it in reversed(CLASSES):
        bpy.utils.unregister_class(it)
