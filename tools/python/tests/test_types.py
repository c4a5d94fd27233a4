"""Type checkers accept the stubs, and know the members of each kind."""

import pathlib
import shutil
import subprocess
import sys

import bitexact
import pytest

pytest.importorskip("mypy", reason="mypy is not installed, so no types are checked")

RIGHT = '''
import bitexact

g = bitexact.read("gamez.zbd", "gamez")
node = g.nodes.slots[4]
name = node.name
g.models.slots[0]
g["/nodes/slots/4/lod/level"] = 3
any_kind = bitexact.read("any.zbd")
bitexact.read(b"any.zbd").save(b"other.zbd")
g.edit(set={"/a": 1}, delete=["/b/0"])
print(any_kind.whatever, any_kind.entries["0"].whatever, g.lint(), name)
names = bitexact.view(any_kind.array("/rows"))
names[0] = "monster"
bitexact.export("gamez.zbd", "world.glb", textures=["a.zbd"])
print(bitexact.import_("gamez.zbd", "world.glb")["changes"])
bitexact.mods.apply("game", ["a.bxmod"])
g.nodes.slots.append({"name": "new"})
del g.nodes.slots[1:3]
creature = bitexact.read("c_boar.utc", "gff")
creature.Str["value"] = 14
table = bitexact.read("appearance.2da", "2da")
print(table.rows[0], table.columns, g.nodes.slots.pop())
print(bitexact.installs("game"), bitexact.compare("game", "list"), bitexact.snapshot("game"))
'''
WRONG = '''
import bitexact

g = bitexact.read("gamez.zbd", "gamez")
g.nodez
g.nodes.slotz
g.nodes.slots[4].nmae
bitexact.read("gamez.zbd", "nokind").nodes
g.save(3)
g.edit(sett={})
bitexact.mods.aply("game", [])
'''


def mypy(tmp_path, *args):
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), *map(str, args)],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )
    return run.stdout + run.stderr


def test_what_exists_is_accepted_and_nothing_else(tmp_path):
    (tmp_path / "right.py").write_text(RIGHT)
    (tmp_path / "wrong.py").write_text(WRONG)
    told = mypy(tmp_path, "right.py", "wrong.py")
    lines = {int(line.split(":")[1]) for line in told.splitlines() if line.startswith("wrong.py") and ": error:" in line}
    assert "right.py" not in told and lines == {5, 6, 7, 9, 10, 11}, told


def test_the_stubs_themselves_are_strict(tmp_path):
    # Copies: mypy refuses a file of site-packages, which would make all others there a part of what is checked.
    (tmp_path / "bitexact").mkdir()
    stubs = sorted(pathlib.Path(bitexact.__file__).parent.glob("*.pyi"))
    for stub in stubs:
        shutil.copy(stub, tmp_path / "bitexact")
    told = mypy(tmp_path, "bitexact")
    assert f"Success: no issues found in {len(stubs)} source files" in told, told
