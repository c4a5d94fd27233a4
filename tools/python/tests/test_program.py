"""What the program does with games and other programs' files, and the same from Python."""

import json
import shutil
import zipfile

import bitexact
import pytest
from conftest import GOLDEN, WORLD

pytestmark = pytest.mark.filterwarnings("ignore::bitexact.BitexactWarning")


def rows(text):
    return [json.loads(line) for line in text.splitlines()]


def test_warnings_are_those_of_the_program(program, tmp_path):
    shutil.copytree(GOLDEN / "m2", tmp_path / "m2")
    path = tmp_path / "m2" / "Map.sceA"
    for options, how in ((["--all"], {"all": True}), ([], {})):
        told = [row for row in rows(program("lint", "--json", *options, tmp_path).stdout) if "summary" not in row]
        assert bitexact.lint(tmp_path, **how) == told
    assert told or bitexact.lint(tmp_path, all=True), "there is something to compare"
    every = bitexact.lint(path, all=True)
    assert bitexact.read(path).lint(all=True) == every
    ids = {row["id"] for row in every}
    assert bitexact.lint(path, all=True, allow=ids) == []
    with pytest.raises(ValueError, match='no warning has the id "nonsense"'):
        bitexact.lint(path, allow="nonsense")


def test_installs_are_those_of_the_program(program):
    told = [row["install"] for row in rows(program("verify", "--json", GOLDEN).stdout) if "install" in row]
    found = bitexact.installs(GOLDEN)
    assert found == told and {"mw", "m2"} <= {install["game"] for install in found}
    assert all(install["sentence"] for install in found)


def test_lists_of_known_files_are_used(tmp_path):
    folder = GOLDEN / "mw"
    table = bitexact.snapshot(folder, known=True, edition="mine", source="a test")
    assert b"\tmine\t" in table and b"\ta test\n" in table
    (tmp_path / "known.tsv").write_bytes(table)
    before, = bitexact.installs(folder)
    after, = bitexact.installs(folder, known=tmp_path / "known.tsv")
    assert (before["as_listed"], after["as_sold"], after["as_listed"] > 5) == (0, 0, True)
    assert "mine" in after["edition"]
    with pytest.raises(bitexact.BitexactError, match="no install of a known game"):
        bitexact.snapshot(folder / "zbd" / "c1", known=True)


def test_snapshots_are_those_of_the_program(program, tmp_path):
    folder = tmp_path / "game"
    shutil.copytree(GOLDEN / "mw", folder)
    for options, how in (([], {}), (["--sha256sum"], {"sha256sum": True}), (["--known"], {"known": True})):
        told = program("snapshot", *options, folder).stdout
        assert bitexact.snapshot(folder, tmp_path / "list", force=True, **how).decode() == told
        assert (tmp_path / "list").read_text(encoding="utf-8") == told
    bitexact.snapshot(folder, tmp_path / "list", force=True)
    assert bitexact.compare(folder, tmp_path / "list") == []
    bitexact.patch(folder / "zbd" / "c1" / "gamez.zbd", set={"/nodes/slots/4/lod/level": 3})
    (folder / "zbd" / "motion.zbd").rename(folder / "zbd" / "moved.zbd")
    (folder / "new.txt").write_text("new")
    told = rows(program("verify", "--json", "--against", tmp_path / "list", folder).stdout)
    found = bitexact.compare(folder, tmp_path / "list")
    assert found == [row for row in told if "finding" in row]
    assert {row["finding"] for row in found} == {"changed", "moved", "new"}


def test_exports_are_those_of_the_program(program, tmp_path):
    textures = next(GOLDEN.joinpath("mw").rglob("rtexture*.zbd"), None)
    package = next(path for path in sorted(GOLDEN.rglob("*.zbd")) if bitexact.verify(path)[0].get("kind") == "texture")
    label = next(label for label, image in bitexact.read(package).entries.items() if image.kind == "image")
    talk = next(path for path in sorted(GOLDEN.rglob("*.tlk")))
    for path, name in (
        (WORLD, "world.glb"), (package, "sheet.png"), (f"{package}!{label}", "image.png"), (talk, "texts.csv"),
        (GOLDEN / "m2" / "Map.sceA", "level.svg"),
    ):
        run = program("export", path, tmp_path / f"by-program-{name}")
        assert run.returncode == 0, run.stderr
        left_out = bitexact.export(path, tmp_path / name)
        assert (tmp_path / name).read_bytes() == (tmp_path / f"by-program-{name}").read_bytes(), name
        assert all(what in run.stderr for what in left_out)
    bitexact.export(WORLD, tmp_path / "textured.glb", textures=[] if textures is None else textures)
    with pytest.raises(bitexact.BitexactError, match="cannot be exported as .wav, only as .*glb"):
        bitexact.export(WORLD, tmp_path / "world.wav")
    with pytest.raises(bitexact.BitexactError, match="nobody"):
        bitexact.export(f"{package}!nobody", tmp_path / "nobody.png")


def test_exports_are_taken_back(world, tmp_path):
    before = world.read_bytes()
    bitexact.export(world, tmp_path / "world.glb")
    changes = bitexact.import_(world, tmp_path / "world.glb")
    assert changes["changes"] == [] and world.read_bytes() == before
    talk = tmp_path / "dialog.tlk"
    talk.write_bytes(next(GOLDEN.rglob("*.tlk")).read_bytes())
    bitexact.export(talk, tmp_path / "texts.csv")
    text = bitexact.read(talk).get("/entries/1/text")
    table = (tmp_path / "texts.csv").read_text(encoding="utf-8-sig")
    assert text and text in table
    (tmp_path / "texts.csv").write_text(table.replace(text, "Good day"), encoding="utf-8")
    told = bitexact.import_(talk, tmp_path / "texts.csv", dry_run=True)
    assert told["changes"] and bitexact.read(talk).get("/entries/1/text") == text
    assert bitexact.import_(talk, tmp_path / "texts.csv", backup=True) == told
    assert bitexact.read(talk).get("/entries/1/text") == "Good day" and (tmp_path / "dialog.tlk.bak").exists()


def test_mods_are_those_of_the_program(program, tmp_path):
    game, mine = tmp_path / "game", tmp_path / "mine"
    shutil.copytree(GOLDEN / "mw", game)
    shutil.copytree(GOLDEN / "mw", mine)
    file = "zbd/c1/gamez.zbd"
    original = (game / file).read_bytes()
    bitexact.patch(mine / file, set={"/nodes/slots/4/lod/level": 3})
    edited = (mine / file).read_bytes()
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG and more")
    about = {"title": "Far", "author": "me", "version": "1.0", "description": "It is seen from afar."}
    made = bitexact.mods.make(game, mine, tmp_path / "far.bxmod", picture=picture, **about)
    assert made == bitexact.mods.show(tmp_path / "far.bxmod") == {"name": "far.bxmod", **made}
    assert about.items() <= made.items() and made["files"] == [f"{file}: 1 change"] and made["made_for"]["game"] == "mw"
    with zipfile.ZipFile(tmp_path / "far.bxmod") as archive:
        assert archive.namelist() == ["mod.json", "picture.png", "changes.jsonl"]
    options = [word for name, text in about.items() for word in (f"--{name}", text)]
    assert program("mod", "make", game, mine, "-o", tmp_path / "other.bxmod", "--picture", picture, *options).returncode == 0
    assert bitexact.mods.show(tmp_path / "other.bxmod") == {**made, "name": "other.bxmod"}
    with zipfile.ZipFile(tmp_path / "far.bxmod") as one, zipfile.ZipFile(tmp_path / "other.bxmod") as other:
        assert [one.read(name) for name in one.namelist()] == [other.read(name) for name in other.namelist()]
    shown = json.loads(program("mod", "show", "--json", tmp_path / "far.bxmod").stdout)
    assert shown == {"schema": 1, **made}
    bitexact.mods.make(game, mine, tmp_path / "far.jsonl")
    for mod in ("far.bxmod", "far.jsonl"):
        assert bitexact.mods.check(game, tmp_path / mod) == []
        written, = bitexact.mods.apply(game, [tmp_path / mod])
        assert (game / file).read_bytes() == edited and written["path"] == file and not written["original"]
        assert [it["name"] for it in bitexact.mods.applied(game)] == [mod]
        assert mod in program("mod", "list", game).stdout
        assert bitexact.mods.undo(game) == (mod, [{"path": file, "sha256": written_before(original), "original": True}])
        assert (game / file).read_bytes() == original and bitexact.mods.applied(game) == []
    assert bitexact.mods.finish(game) is False
    bitexact.patch(game / file, set={"/nodes/slots/4/lod/level": 7})
    assert bitexact.mods.check(game, tmp_path / "far.bxmod") != []
    with pytest.raises(bitexact.BitexactError, match="no file was changed: .*level"):
        bitexact.mods.apply(game, tmp_path / "far.bxmod")
    with pytest.raises(bitexact.BitexactError, match="a mod needs a difference"):
        bitexact.mods.make(game, game, tmp_path / "none.bxmod")
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
        archive.writestr("readme.txt", "nothing")
    with pytest.raises(bitexact.BitexactError, match="an archive without changes.jsonl"):
        bitexact.mods.show(tmp_path / "other.zip")


def written_before(data):
    import hashlib

    return hashlib.sha256(data).hexdigest()
