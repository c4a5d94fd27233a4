"""The examples work over the sample install."""

import pathlib
import sys

import bitexact
import numpy
import pytest
from conftest import GOLDEN

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "examples"))


def test_textures_of_an_install_are_listed(capsys):
    import list_textures

    list_textures.main(GOLDEN / "mw")
    lines = capsys.readouterr().out.splitlines()
    expected = sum(row.get("kind") == "image" for row in bitexact.verify(GOLDEN / "mw", entries=True) if "entry" in row)
    assert len(lines) == expected > 10
    assert all(" x " in line for line in lines)


@pytest.mark.filterwarnings("error::bitexact.BitexactWarning")
def test_all_nodes_of_a_model_are_scaled(tmp_path):
    import scale_model

    source = GOLDEN / "nwn" / "override" / "c_boar.mdl"
    target = tmp_path / "scaled.mdl"
    assert scale_model.scale(source, 2, target) > 3
    before, after = bitexact.read(source), bitexact.read(target)
    meshes = [(old, new) for old, new in zip(before.raw, after.raw) if "vertices" in old]
    assert len(meshes) > 2 and all(numpy.array_equal(new.vertices, old.vertices * 2) for old, new in meshes)
    assert after.get("/root/children/0/controllers/0/rows/0") == [0.0, 1.0, -0.0, 2.5]
    boxes = [(old.mesh, new.mesh) for old, new in zip(before.root.children, after.root.children) if "mesh" in old]
    assert len(boxes) > 1
    assert all(list(new.box_max) == [2 * value for value in old.box_max] for old, new in boxes)
    with pytest.raises(ValueError, match="kept in pieces"):
        scale_model.scale(source.with_name("c_doll.mdl"), 2, tmp_path / "pieces.mdl")
    scale_model.scale(target, 0.5, tmp_path / "again.mdl")
    again = bitexact.read(tmp_path / "again.mdl")
    # The sample has distances of faces as another compiler rounds them. `recompute` leaves those that are as near as compilers come, but
    # twice the size, none was.
    distances = list(zip(taken(again_root := again.get("/root")), taken(root := before.get("/root")), strict=True))
    assert again_root == root and len(distances) > 100
    assert all(abs(new - old) <= 1e-6 * max(1, abs(old)) for new, old in distances)


@pytest.mark.filterwarnings("ignore::bitexact.BitexactWarning")
def test_every_binary_model_is_scaled(tmp_path):
    import scale_model

    scaled = 0
    for source in sorted((GOLDEN / "nwn").rglob("*.mdl")):
        if bitexact.read(source).kind == "mdl" and "root" in bitexact.read(source):
            assert scale_model.scale(source, 2, tmp_path / f"{scaled}.mdl") > 0
            scaled += 1
    assert scaled > 2


def taken(value):
    """Take the distances of faces out of a node, and yield them."""
    if isinstance(value, dict):
        if "distance" in value and "normal" in value:
            yield value.pop("distance")
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from taken(inner)


def test_lines_of_a_level_are_between_its_points(tmp_path):
    import plot_level

    path = GOLDEN / "m2" / "Map.sceA"
    level = bitexact.read(path).entries["0"]
    lines = plot_level.lines_of(level)
    assert lines.shape == (49, 2, 2) and numpy.isfinite(lines).all()
    pytest.importorskip("matplotlib", reason="matplotlib is not installed, so no level is plotted")
    plot_level.plot(path, 0, tmp_path / "level.png")
    assert (tmp_path / "level.png").read_bytes().startswith(b"\x89PNG")


def test_census_of_an_install_is_a_table():
    pytest.importorskip("pandas", reason="pandas is not installed, so there is no table")
    import census

    table = census.census(GOLDEN)
    rows = [row for row in bitexact.verify(GOLDEN) if "census" in row]
    assert table["files"].sum() == len(rows) > 150
    classes = ["semantic", "derived", "reserved", "pointer", "stale", "padding", "opaque"]
    assert table[[it for it in classes if it in table]].to_numpy().sum() == sum(row["bytes"] for row in rows)
