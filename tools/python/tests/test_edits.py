"""Edits are those of the program, and are refused like its own."""

import math
import json
import shutil
import sys

import bitexact
import numpy
import pytest
from conftest import GOLDEN


def patched(program, path, tmp_path, *edits):
    """Returns the bytes of a file that the program has edited."""
    target = tmp_path / "by-program"
    run = program("patch", path, *edits, "--output", target)
    assert run.returncode == 0, run.stderr
    return target.read_bytes()


@pytest.mark.filterwarnings("ignore::bitexact.BitexactWarning")
def test_edits_are_those_of_the_program(world, program, tmp_path):
    expected = patched(
        program, world, tmp_path, "--set", "/nodes/slots/4/lod/range_far=300.0", "--set", "/nodes/slots/4/node_bbox/0=[-7.0,-8.0,-9.0]",
        "--set", '@camera1/name="camera9"', "--set", "/nodes/slots/5/zone_id=3",
    )
    model = bitexact.read(world)
    node = model.nodes.slots[4]
    node.lod.range_far = 300
    node.node_bbox[0] = [-7, -8, -9]
    model.set("@camera1/name", "camera9")
    model.nodes.slots[5]["zone_id"] = 3
    assert node.lod.range_far == 300.0 and model.get("/nodes/slots/5/zone_id") == 3
    assert model.to_bytes() == expected
    assert node.lod.range_far_sq == 90000.0, "it depends on the range"


def test_arrays_are_edited_as_by_the_program(world, program, tmp_path):
    model = bitexact.read(world)
    vertices = model.models.slots[0].vertices
    vertices *= numpy.float32(1.5)
    value = json.dumps(vertices.tolist())
    assert model.to_bytes() == patched(program, world, tmp_path, "--set", f"/models/slots/0/vertices={value}")
    again = bitexact.read(world)
    again.models.slots[0].vertices = vertices.copy()
    assert again.to_bytes() == model.to_bytes()


@pytest.mark.filterwarnings("ignore::bitexact.BitexactWarning")
def test_many_edits_at_once_are_those_of_the_program(world, program, tmp_path):
    model, edits = bitexact.read(world), []
    for at in range(5, 10):
        for part in ("node_bbox", "model_bbox", "child_bbox"):
            for corner in range(2):
                for axis in range(3):
                    value = float(at + corner * axis)
                    model.set(f"/nodes/slots/{at}/{part}/{corner}/{axis}", value)
                    edits += ["--set", f"/nodes/slots/{at}/{part}/{corner}/{axis}={value}"]
    assert len(edits) == 180
    assert model.to_bytes() == patched(program, world, tmp_path, *edits)


def test_lists_and_entries_are_edited_as_by_the_program(program, tmp_path):
    source = GOLDEN / "mw" / "zbd" / "motion.zbd"
    model = bitexact.read(source)
    first, second = list(model.entries)[:2]
    expected = patched(program, source, tmp_path, "--rename", f"{first}=walk.zrd", "--remove", second)
    model.edit(rename={first: "walk.zrd"}, remove=[second])
    assert model.to_bytes() == expected
    assert "walk.zrd" in model.entries and second not in model.entries
    with pytest.raises(KeyError):
        model.entries[second]


def test_patch_and_diff_are_those_of_the_program(world, program, tmp_path):
    changes = bitexact.patch(world, output=tmp_path / "edited.zbd", set={"/nodes/slots/4/lod/range_far": 300.0})
    assert changes["changes"] == [{"do": "set", "at": "/nodes/slots/4/lod/range_far", "old": 222.54153, "new": 300.0}]
    assert bitexact.diff(world, tmp_path / "edited.zbd") == changes
    assert json.loads(program("diff", "--json", world, tmp_path / "edited.zbd").stdout) == changes
    bitexact.patch(world, apply=changes)
    assert world.read_bytes() == (tmp_path / "edited.zbd").read_bytes()


def test_unpacked_files_pack_again(world, tmp_path):
    assert bitexact.unpack(world, tmp_path / "folder") > 0
    with pytest.raises(FileExistsError, match="force=True"):
        bitexact.unpack(world, tmp_path / "folder")
    sha256, is_original = bitexact.pack(tmp_path / "folder", tmp_path / "again.zbd")
    assert is_original and len(sha256) == 64
    assert (tmp_path / "again.zbd").read_bytes() == world.read_bytes()


def test_refused_edits_change_nothing(world):
    before = world.read_bytes()
    model = bitexact.read(world)
    with pytest.raises(bitexact.BitexactError) as refused:
        model.set("/nodes/slots/4/lod/level", "high")
    assert refused.value.place == "/nodes/slots/4/lod/level"
    assert (refused.value.expected, refused.value.found) == ("a value like 1", '"high"')
    with pytest.raises(bitexact.BitexactError, match="at most 36 bytes"):
        model.nodes.slots[4].name = "x" * 80
    with pytest.raises(bitexact.BitexactError):
        model.edit(set={"/nodes/slots/4/lod/level": 2, "/nodes/slots/4/lod/nothing": 2})
    assert model.to_bytes() == before and model.save() is False and world.read_bytes() == before


def test_edits_refused_at_the_end_can_be_corrected(world):
    before = world.read_bytes()
    model = bitexact.read(world)
    model.nodes.slots[4].lod.range_far = 300.0
    model.texture_count = 3
    with pytest.raises(bitexact.BitexactError) as refused:
        model.save()
    assert (refused.value.place, refused.value.expected, refused.value.found) == ("/textures", "3 records", "12")
    assert world.read_bytes() == before, "nothing is written"
    assert model.nodes.slots[4].lod.range_far == 300.0, "the other edit is still to be made"
    model.texture_count = 12
    assert model.save() and bitexact.read(world).nodes.slots[4].lod.range_far == 300.0


def test_no_value_is_replaced_without_a_word(world):
    model = bitexact.read(world)
    model.models.slots[0].vertex_count = 3
    with pytest.warns(bitexact.BitexactWarning, match="recomputed: /models/slots/0/vertex_count: 3 → 15"):
        model.save()
    assert model.models.slots[0].vertex_count == 15
    with pytest.warns(bitexact.BitexactWarning, match="recomputed"):
        assert model.edit(set={"/models/slots/0/vertex_count": 3}) == [("/models/slots/0/vertex_count", 3, 15)]
    with pytest.warns(bitexact.BitexactWarning, match="deviation: /magic: expected 43455010, found 5"):
        bitexact.patch(world, set={"/magic": 5})


def test_nothing_of_the_user_is_replaced_unasked(world, tmp_path):
    model = bitexact.read(world)
    model.nodes.slots[4].lod.range_far = 300.0
    other = tmp_path / "other"
    other.write_bytes(b"mine")
    with pytest.raises(FileExistsError, match="already exists"):
        model.save(other)
    assert other.read_bytes() == b"mine"
    world.write_bytes(b"changed meanwhile")
    with pytest.raises(FileExistsError, match="has been changed since it was read"):
        model.save()
    assert world.read_bytes() == b"changed meanwhile"
    assert model.save(force=True) and world.read_bytes() == model.to_bytes()


def test_numbers_that_do_not_fit_are_refused(world):
    model = bitexact.read(world)
    mesh = model.models.slots[0]
    before = mesh.vertices.copy()
    for value in ([[1e39, 0, 0]] * len(before), "text", [[1, 2, "3"]] * len(before)):
        with pytest.raises((OverflowError, bitexact.BitexactError)):
            mesh.vertices = value
    face = model.models.slots[0].polygons[0]
    with pytest.raises(bitexact.BitexactError):
        face.vertices = [-1] * len(face.vertices)
    with pytest.raises(bitexact.BitexactError):
        face.vertices = [1.5] * len(face.vertices)
    assert (mesh.vertices == before).all() and model.to_bytes() == world.read_bytes()


def test_a_packed_file_is_not_in_its_folder(world, tmp_path):
    bitexact.unpack(world, tmp_path / "folder")
    with pytest.raises(bitexact.BitexactError, match="inside the folder"):
        bitexact.pack(tmp_path / "folder", tmp_path / "folder" / "again.zbd")


def test_a_backup_is_kept(world):
    before = world.read_bytes()
    model = bitexact.read(world)
    model.nodes.slots[4].lod.range_far = 300.0
    assert model.save(backup=True)
    assert (world.parent / "gamez.zbd.bak").read_bytes() == before


def test_an_edit_warns_as_the_program_does(world):
    model = bitexact.read(world)
    with pytest.warns(bitexact.BitexactWarning, match="deviation"):
        model.edit(delete=["/nodes/slots/0"])


def test_keys_follow_a_bif_like_with_the_program(tmp_path):
    for way in ("save", "patch", "pack"):
        game = tmp_path / way
        shutil.copytree(GOLDEN / "nwn", game)
        bif = game / "data" / "2da.bif"
        entry = next(iter(bitexact.read(bif).entries))
        with pytest.warns(bitexact.BitexactWarning, match="recomputed: .*chitin.key:/files/0/file_size"):
            if way == "save":
                model = bitexact.read(bif)
                model.edit(replace={entry: b"x" * 3000}, force=True)
                model.save()
            elif way == "patch":
                bitexact.patch(bif, replace={entry: b"x" * 3000}, force=True)
            else:
                before = bif.read_bytes()
                bitexact.patch(bif, output=tmp_path / "edited.bif", replace={entry: b"x" * 3000}, force=True)
                bitexact.unpack(tmp_path / "edited.bif", game / "folder")
                bitexact.pack(game / "folder", bif, force=True)
                assert bif.read_bytes() != before
        assert bitexact.read(game / "chitin.key").get("/files/0/file_size") == bif.stat().st_size


@pytest.mark.parametrize("value", [1e-46, -1e-46, 1e-300, 1e39, 1e300])
def test_a_number_that_no_float_is_near_to_is_refused_at_its_place(value, tmp_path):
    path = tmp_path / "reader.zbd"
    path.write_bytes((GOLDEN / "pm" / "zbd" / "reader.zbd").read_bytes())
    before, place = path.read_bytes(), "weapons.zrd:/0/1/3"
    model = bitexact.read(path)
    for edit in (
        lambda: model.__setitem__(place, value), lambda: model.set(place, value), lambda: model.entries["weapons.zrd"].set("/0/1/3", value),
        lambda: model.edit(set={place: value}), lambda: model.edit(insert={place: value}), lambda: bitexact.patch(path, set={place: value}),
        lambda: bitexact.patch(path, insert={place: value}), lambda: bitexact.patch(path, add={"new.zrd": [1, value]}),
        lambda: bitexact.patch(path, replace={"weapons.zrd": [1, value]}),
    ):
        with pytest.raises(bitexact.BitexactError, match="expected a number that a float of 32 bits can be near to") as refused:
            edit()
        assert refused.value.path == str(path) and refused.value.place
    assert model.to_bytes() == path.read_bytes() == before


def test_numbers_of_64_bits_are_numbers(tmp_path):
    path = tmp_path / "c_boar.utc"
    bitexact.patch(GOLDEN / "nwn" / "override" / "c_boar.utc", output=path, set={
        "/Big": {"type": "double", "value": 1e300}, "/Whole": {"type": "dword64", "value": str(2**63)},
    })
    model = bitexact.read(path)
    assert model["Big"]["value"] == 1e300 and model["Whole"]["value"] == 2**63
    model["Big"], model["Whole"] = 2e-300, 2**64 - 1
    assert model["Big"]["value"] == 2e-300 and model["Whole"]["value"] == 2**64 - 1
    model["/Big/value"] = 0.1
    assert model.get("/Big")["value"] == 0.1
    for name, value in (("Str", 10**30), ("Str", 256), ("ChallengeRating", 1e39), ("ChallengeRating", 1e-46), ("Whole", 2**64)):
        with pytest.raises(bitexact.BitexactError) as refused:
            model[name] = value
        assert refused.value.path == str(path) and refused.value.place in (f"/{name}", f"/{name}/value")
        model[refused.value.place]


def test_places_of_refused_edits_are_places():
    path = GOLDEN / "nwn" / "modules" / "Prelude.mod"
    model = bitexact.read(path)
    with pytest.raises(bitexact.BitexactError) as refused:
        model["c_boar.utc:/Str"] = 256
    assert model[refused.value.place] == 14 and refused.value.path == str(path)


def test_a_part_whose_list_has_moved_is_stale():
    path = GOLDEN / "rc" / "maps" / "m1.zmap"
    edits = (
        lambda model: model.features.__delitem__(0), lambda model: model.features.pop(0), lambda model: model.edit(delete=["/features/0"]),
        lambda model: model.features.insert(0, model.get("/features/0")), lambda model: model.set("/features", model.get("/features")[1:]),
    )
    for edit in edits:
        model = bitexact.read(path)
        before, part = model.features[0], model.features[3]
        following = model.get("/features")[4:]
        edit(model)
        with pytest.raises(bitexact.BitexactError, match="ask for this part again") as stale:
            part.objective = 9
        assert stale.value.place == "/features/3" and following[1] in model.get("/features")
        assert model.features[3].objective != 9 and repr(before)
    model = bitexact.read(path)
    first, last = model.features[0], model.features[3]
    del model.features[2]
    assert first.objective == model.features[0].objective
    with pytest.raises(bitexact.BitexactError):
        bitexact.plain(last)


def test_value_nested_too_deep_is_refused():
    readers = bitexact.read(GOLDEN / "pm/zbd/reader.zbd")
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(1_000_000)
    try:
        for depth in (2_000, 100_000):
            deep = 1
            for _ in range(depth):
                deep = [deep]
            with pytest.raises(ValueError, match="at most 1024 others"):
                readers["weapons.zrd:/0"] = deep
    finally:
        sys.setrecursionlimit(limit)
    assert readers.get("weapons.zrd:/0") != []


@pytest.mark.parametrize("value", [math.nan, -math.inf])
def test_no_text_is_set_to_a_float(value, world):
    model = bitexact.read(world)
    node = model.nodes.slots[4]
    name = node.name
    with pytest.raises(bitexact.BitexactError, match="/nodes/slots/4/name: expected text, found"):
        node.name = value
    with pytest.raises(bitexact.BitexactError):
        model.set("/nodes/slots/4/name", value)
    node.lod.range_far = value
    assert node.name == name and str(node.lod.range_far) == str(value)


def test_items_of_a_list_are_set_at_once():
    model = bitexact.read(GOLDEN / "rc" / "maps" / "m1.zmap")
    first, second = model.get("/features")[:2]
    model.features[:2] = [second, first]
    assert model.get("/features")[:2] == [second, first]
    with pytest.raises(ValueError, match="1 values for 2 items"):
        model.features[:2] = [first]
    with pytest.raises(TypeError, match="cannot be deleted"):
        del model["features"]
    with pytest.raises(TypeError, match="expected a dictionary"):
        model.edit(set="/features/0/objective=1")
    assert model.get("/features")[:2] == [second, first]
