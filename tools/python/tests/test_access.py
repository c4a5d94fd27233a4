"""Access by the names of places, and arrays that share memory."""

import copy
import os
import pickle

import bitexact
import numpy
import pytest
from conftest import GOLDEN, WORLD


def test_members_have_the_names_of_places():
    model = bitexact.read(WORLD, "gamez")
    assert isinstance(model, bitexact.kinds.Gamez) and (model.kind, model.games) == ("gamez", ["mw"])
    node = model.nodes.slots[4]
    assert node == model["nodes"]["slots"][4] == model["/nodes/slots/4"] == model.nodes.slots[-len(model.nodes.slots) + 4]
    assert node["class"] == "LOD" and node.lod.level == model.get("/nodes/slots/4/lod/level") == 1
    assert "lod" in node and "name" in dir(node) and bitexact.place_of(node) == "/nodes/slots/4"
    assert model.nodes["@camera1"] == model.nodes.slots["@camera1"] == model.nodes.slots["@CAMERA1"]
    assert bitexact.plain(node) == model.get("/nodes/slots/4") and model.get("@camera1/name") == "camera1"
    assert [each.name for each in model.nodes.slots][:2] == ["world1", "window1"]
    assert len(model.nodes.slots[2:4]) == 2


def test_what_does_not_exist_is_an_error_of_its_type():
    model = bitexact.read(WORLD)
    with pytest.raises(AttributeError, match="it has name"):
        model.nodes.slots[4].nmae
    with pytest.raises(KeyError, match="several have this name"):
        model.nodes["@level"]
    with pytest.raises(KeyError, match="nothing in /nodes"):
        model.nodes["@nobody"]
    with pytest.raises(IndexError):
        model.nodes.slots[10_000]
    with pytest.raises(AttributeError):
        model.kind = "archive"
    with pytest.raises(bitexact.BitexactError, match="did you mean lod") as error:
        model.get("/nodes/slots/4/lood")
    assert error.value.place == "/nodes/slots/4/lood"
    with pytest.raises(TypeError, match="not an array"):
        model.array("/nodes/slots")


def test_entries_are_a_mapping():
    model = bitexact.read(GOLDEN / "mw" / "zbd" / "motion.zbd")
    assert len(model.entries) == len(list(model.entries)) > 0
    label, entry = next(iter(model.entries.items()))
    assert entry.kind == "motion" and entry.loop_time == model.get(f"{label}:/loop_time") == entry.get("/loop_time")
    at = model.to_bytes().find(entry.to_bytes())
    assert at >= 0 and len(entry.to_bytes()) > 0
    assert "nobody" not in model.entries
    part = entry.parts[0]
    if "translations" in part:
        assert part.translations.dtype == numpy.float32 and part.translations.shape[1] == 3


def test_entries_of_entries():
    found = 0
    for path in sorted((GOLDEN / "m2").rglob("*.sceA")):
        model = bitexact.read(path)
        stack = list(model.entries.values())
        while stack:
            entry = stack.pop()
            found += 1
            stack += entry.entries.values()
            for label, inner in entry.entries.items():
                assert bitexact.place_of(inner) == f"{bitexact.place_of(entry)}!{label}"
                assert inner.to_bytes() in entry.to_bytes()
    assert found > 50


def test_arrays_share_memory_with_the_file():
    model = bitexact.read(WORLD)
    one, other = model.models.slots[0].vertices, model.array("/models/slots/0/vertices")
    assert numpy.shares_memory(one, other) and one.flags.writeable and not one.flags.owndata
    assert one.dtype == numpy.float32 and one.shape == (15, 3)
    one[3, 1] = 77
    assert other[3, 1] == 77 and model.get("/models/slots/0/vertices/3") == [one[3, 0], 77, one[3, 2]]
    model.set("/models/slots/0/vertices/2/0", 5.5)
    assert one[2, 0] == 5.5
    saved = model.to_bytes()
    assert model.models.slots[0].vertices[3, 1] == 77
    one[3, 1] = 78
    assert model.to_bytes() != saved, "it is the memory of the file also after the file has been encoded"
    # Every byte of the array is in the file as it is.
    assert one.tobytes() in model.to_bytes()


@pytest.mark.filterwarnings("ignore::bitexact.BitexactWarning")
def test_arrays_go_on_after_parts_have_moved():
    model = bitexact.read(WORLD)
    vertices = model.models.slots[0].vertices
    model.models.slots[0].normals = [[0, 1, 0]]
    assert len(model.models.slots[0].normals) == 1 and model.get("/models/slots/0/normal_count") == 1
    vertices[0, 0] = 99
    assert model.get("/models/slots/0/vertices/0/0") == 99
    assert vertices.tobytes() in model.to_bytes()


def test_records_are_structured_arrays():
    found = set()
    for path in sorted((GOLDEN / "m2").rglob("*.sceA")):
        model = bitexact.read(path)
        stack = list(model.entries.values())
        while stack:
            entry = stack.pop()
            stack += entry.entries.values()
            for name in entry:
                value = entry[name]
                if isinstance(value, numpy.ndarray) and value.dtype.names and len(value):
                    assert [str(it) for it in value[0].dtype.names] == list(entry.get(f"/{name}/0"))
                    row = entry.get(f"/{name}/0")
                    for field in value.dtype.names:
                        now = value[0][field]
                        if isinstance(row[field], int) and not isinstance(row[field], bool):
                            # Names that numpy itself has are items only.
                            of_row = now if hasattr(numpy.void, field) else getattr(value[0], field)
                            assert now == row[field] == of_row, (entry, name, field)
                    assert value.nbytes == len(value) * value.dtype.itemsize
                    found.add(entry.kind)
    assert len(found) > 5, found


def test_floats_that_are_no_numbers_keep_their_bits(world):
    model = bitexact.read(world)
    array = model.models.slots[0].vertices
    array[0] = [numpy.nan, numpy.inf, -0.0]
    bits = array.view(numpy.uint32)
    bits[0, 0] = 0x7FA00001
    data = model.to_bytes()
    assert numpy.array_equal(model.models.slots[0].vertices.view(numpy.uint32), bits)
    assert data != world.read_bytes() and model.get("/models/slots/0/vertices/0/0") == "f32:7fa00001"
    model.set("/models/slots/0/vertices/0/0", float("inf"))
    assert array[0, 0] == numpy.inf
    model.models.slots[0].bbox_diag = float("-inf")
    assert model.models.slots[0].bbox_diag == float("-inf") and model.get("/models/slots/0/bbox_diag") == "f32:ff800000"


@pytest.mark.filterwarnings("ignore::bitexact.BitexactWarning")
def test_lists_are_used_like_those_of_python(world):
    model = bitexact.read(world)
    names = [each.name for each in model.textures]
    for key in ("x", "4", 1.5):
        with pytest.raises(TypeError, match="expected an index, a slice or"):
            model.textures[key]
    assert bitexact.plain(model.textures[:2]) == model.get("/textures")[:2]
    assert model.textures.pop()["name"] == names[-1] and len(model.textures) == len(names) - 1
    del model.textures[1:4:2]
    assert [each.name for each in model.textures] == [names[0], names[2], *names[4:-1]]
    new = [{**model.get("/textures/0"), "name": name} for name in ("one.tif", "two.tif", "three.tif", "four.tif")]
    model.textures.extend(new[:2])
    model.textures.insert(-1, new[2])
    model.textures.insert(100, new[3])
    assert [each.name for each in model.textures[-4:]] == ["one.tif", "three.tif", "two.tif", "four.tif"]
    with pytest.raises(IndexError):
        model.textures.pop(100)


def test_parts_are_not_copied():
    model = bitexact.read(WORLD)
    for part in (model, model.textures, model.textures[0]):
        for copied in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match=r"plain\(\) copies its values"):
                copied(part)
    assert copy.deepcopy(bitexact.plain(model.textures)) == model.get("/textures")


def test_members_that_cannot_exist_are_refused_by_name():
    model = bitexact.read(WORLD)
    with pytest.raises(AttributeError, match="^/textures/0 has no nme; it has image_ptr"):
        model.textures[0].nme = 3
    with pytest.raises(KeyError, match="/textures/0 has no nme; it has image_ptr"):
        model.textures[0]["nme"] = 3
    with pytest.raises(KeyError, match="/ has no nope; it has magic"):
        model["nope"]
    with pytest.raises(KeyError, match="nothing at /nodes/slots/99999"):
        model["/nodes/slots/99999"]
    with pytest.raises(AttributeError, match="save is not a value of the file"):
        model.save = 3
    with pytest.raises(AttributeError, match="only items of lists"):
        del model.textures[0].name
    assert model.to_bytes() == WORLD.read_bytes()


def test_paths_can_be_bytes():
    assert bitexact.read(os.fsencode(WORLD)).path == WORLD
    assert bitexact.verify(os.fsencode(WORLD)) == bitexact.verify(WORLD)


@pytest.mark.filterwarnings("ignore::bitexact.BitexactWarning")
def test_places_are_read_and_written_as_items():
    model = bitexact.read(GOLDEN / "m2" / "Map.sceA")
    level = model.entries["0"]
    entry = next(label for label in level.entries if label.startswith("Minf"))
    place = f"0!{entry}:/level_name"
    assert model[place] == model.get(place) == level[f"{entry}:/level_name"] == model[f"0!{entry}"].level_name == model["0"][entry].level_name
    model[place] = "Home"
    assert model.get(place) == "Home"
    level[f"{entry}:/level_name"] = "House"
    assert model[place] == "House" and model.to_bytes() != (GOLDEN / "m2" / "Map.sceA").read_bytes()
    for wrong in (f"0!{entry}:/level_nam", "0!nobody:/level_name", "0!nobody", f"0!{entry}:/level_name/3"):
        with pytest.raises(KeyError):
            model[wrong]
        with pytest.raises((KeyError, bitexact.BitexactError)):
            model[wrong] = 3
    world = bitexact.read(WORLD)
    world["/nodes/slots/4/lod/level"] = 3
    world["@camera1/name"] = "camera9"
    world.to_bytes()
    assert world["/nodes/slots/4/lod/level"] == 3 and world["@camera9/name"] == world["@camera9"].name == "camera9"


def test_names_lead_through_lists():
    path = next(path for path in sorted(GOLDEN.rglob("reader*.zbd")) if "weapons.zrd" in bitexact.read(path).entries)
    model = bitexact.read(path)
    name = next(item[0] for item in model.get("weapons.zrd:/") if isinstance(item, list) and item and isinstance(item[0], str))
    assert model.get(f"weapons.zrd:/@{name}/0") == name == model[f"weapons.zrd:/@{name}/0"]


@pytest.mark.filterwarnings("ignore::bitexact.BitexactWarning")
def test_column_follows_the_number_of_a_row():
    model = bitexact.read(GOLDEN / "nwn" / "override" / "appearance.2da")
    value = model.get("/rows/3/cells/Value")
    assert model.get("/rows/3/Value") == value == model["/rows/3/Value"]
    model.set("/rows/3/Value", "9.50")
    assert model.get("/rows/3/cells/Value") == "9.50" != value
    for wrong in ("/rows/3/Valu", "/rows/99999/Value"):
        with pytest.raises(bitexact.BitexactError):
            model.get(wrong)
        with pytest.raises(KeyError):
            model[wrong]


def arrays(of):
    """Returns the fields of arrays of records in the sample install whose numbers mean something, by what they mean."""
    for path in sorted((GOLDEN / "m2").rglob("*.sceA")):
        stack = [bitexact.read(path)]
        while stack:
            entry = stack.pop()
            stack += entry.entries.values()
            for name in entry:
                rows = entry[name]
                if isinstance(rows, numpy.ndarray) and rows.dtype.names and len(rows):
                    for field in rows.dtype.names:
                        if of in (rows[field].dtype.metadata or {}):
                            yield entry, name, field, rows[field]


def test_numbers_with_names_are_shown_and_taken_by_name():
    seen = 0
    for entry, name, field, array in arrays("names"):
        view, plain = bitexact.view(array), [row[field] for row in entry.get(f"/{name}")]
        if array.ndim != 1:
            continue
        assert list(view) == plain == list(numpy.asarray(view)), (entry, name, field)
        one = next(iter(view.names))
        before = array[0].copy()
        view[0] = one
        assert view[0] == one and array[0] == view.names[one] and (view == one)[0] and not (view != one)[0]
        assert entry.get(f"/{name}/0/{field}") == one
        view[:] = plain
        assert array[0] == before
        with pytest.raises(ValueError, match="'nobody' is none of the names"):
            view[0] = "nobody"
        with pytest.raises(OverflowError):
            view[0] = 1 << 40
        seen += 1
    assert seen > 3


def test_flags_are_shown_and_taken_by_name():
    seen = 0
    for entry, name, field, array in arrays("flags"):
        if array.ndim != 1:
            continue
        view, plain = bitexact.view(array), [row[field] for row in entry.get(f"/{name}")]
        before = array.copy()
        # What the exchange format prints is taken back.
        view[:] = plain
        assert numpy.array_equal(array, before), (entry, name, field)
        view[:] = list(view)
        assert numpy.array_equal(array, before)
        one = next(name for name, bits in view.names.items() if bits)
        view[0] = one
        assert view[0] == one and view.has(one)[0] and entry.get(f"/{name}/0/{field}") == one
        seen += 1
    assert seen > 3


def test_fixed_point_numbers_are_calculated_with():
    seen = 0
    for entry, name, field, array in arrays("fixed"):
        if array.ndim != 1:
            continue
        view, plain = bitexact.view(array), [row[field] for row in entry.get(f"/{name}")]
        assert list(view) == plain and numpy.array_equal(view * 2, numpy.array(plain) * 2), (entry, name, field)
        view[0] = 0.5
        assert array[0] == view.one / 2 and entry.get(f"/{name}/0/{field}") == 0.5
        view += 0.25
        assert view[0] == 0.75 and view[:1].shape == (1,)
        with pytest.raises(OverflowError):
            view[0] = float("inf")
        seen += 1
    assert seen
    with pytest.raises(TypeError, match="no names"):
        bitexact.view(bitexact.read(WORLD).models.slots[0].vertices)


def test_all_of_an_entry_is_an_item():
    model = bitexact.read(GOLDEN / "m2" / "Map.sceA")
    assert model["/"] is model and model["0:/"] == model["0"] and model["0"]["/"] == model["0"]
    module = bitexact.read(GOLDEN / "nwn" / "modules" / "Prelude.mod")
    assert module["c_boar.utc:/"] == module.get("c_boar.utc:/")
    reader = bitexact.read(GOLDEN / "pm" / "zbd" / "reader.zbd")
    values = reader["weapons.zrd:/"]
    reader["weapons.zrd:/"] = values
    assert reader.get("weapons.zrd:/") == values
    with pytest.raises(KeyError):
        reader["nobody.zrd:/"]


def test_members_of_values_with_their_own_encoding_are_listed():
    gff = bitexact.read(GOLDEN / "nwn" / "override" / "c_boar.utc")
    assert "Comment" in gff and len(gff) == len(list(gff)) == len(gff.get("/")) and "Comment" in dir(gff)
    with pytest.raises(KeyError, match="did you mean Comment"):
        gff["Coment"]
    table = bitexact.read(GOLDEN / "nwn" / "override" / "appearance.2da")
    assert "rows" in table and list(table) == list(table.get("/"))
    talk = bitexact.read(GOLDEN / "nwn" / "dialog.tlk")
    assert "entries" in talk and "item" in repr(talk.entries) and len(talk["entries"]) > 0


def test_names_refuse_what_is_no_integer():
    view = bitexact.view(bitexact.read(GOLDEN / "m2" / "Map.sceA")["0!OBJS"].objects["group"])
    before = view.array.copy()
    for value in (2.9, True, None, [2.9], numpy.bool_(True)):
        with pytest.raises(TypeError, match="expected a name or an integer"):
            view[0] = value
    assert numpy.array_equal(view.array, before)
