"""Errors and warnings say where."""

import inspect
import os
import subprocess
import sys
import warnings

import bitexact
import pytest
from conftest import GOLDEN, WORLD


def test_a_damaged_file_says_where(tmp_path):
    path = tmp_path / "gamez.zbd"
    path.write_bytes(WORLD.read_bytes()[:3000])
    with pytest.raises(bitexact.BitexactError) as error:
        bitexact.read(path)
    error = error.value
    assert error.path == str(path) and str(error).startswith(f"{path}: ")
    assert error.offset is not None and error.place.startswith("/") and error.expected and error.found
    row, = bitexact.verify(path)
    assert row["status"] == "refused" and row["error"]["offset"] == error.offset and row["error"]["place"] == error.place


def test_files_that_are_not_supported(tmp_path):
    text, noise = tmp_path / "a.txt", tmp_path / "a.bin"
    text.write_text("text")
    noise.write_bytes(bytes(range(7, 200)))
    with pytest.raises(bitexact.BitexactError, match="unsupported format: plain-text"):
        bitexact.read(text)
    with pytest.raises(bitexact.BitexactError, match=r"unknown format; formats\(\) lists"):
        bitexact.read(noise)
    with pytest.raises(bitexact.BitexactError, match="expected a file of kind archive, found gamez"):
        bitexact.read(WORLD, "archive")
    with pytest.raises(bitexact.BitexactError, match="no edits"):
        bitexact.patch(WORLD)
    with pytest.raises(TypeError, match="unexpected argument"):
        bitexact.patch(WORLD, seet={})
    with pytest.raises(ValueError, match="nokind: expected one of .*gamez"):
        bitexact.schema("nokind")


def test_memory_is_limited():
    before = bitexact.memory_limit()
    try:
        with pytest.raises(ValueError, match="above 0"):
            bitexact.memory_limit(0)
        bitexact.memory_limit(1000)
        with pytest.raises(bitexact.BitexactError, match="at most 1000 bytes"):
            bitexact.read(WORLD)
    finally:
        assert bitexact.memory_limit(before) == before
    assert bitexact.read(WORLD).kind == "gamez"


def test_errors_of_the_system_are_those_of_python(tmp_path):
    nothing, taken = tmp_path / "nothing", tmp_path / "taken"
    taken.write_bytes(b"")
    for call in (
        lambda: bitexact.read(nothing), lambda: bitexact.verify(nothing), lambda: bitexact.lint(nothing), lambda: bitexact.diff(WORLD, nothing),
        lambda: bitexact.patch(nothing, set={"/a": 1}), lambda: bitexact.export(nothing, tmp_path / "a.glb"), lambda: bitexact.snapshot(nothing),
        lambda: bitexact.import_(nothing, nothing), lambda: bitexact.mods.show(nothing), lambda: bitexact.unpack(nothing, tmp_path / "folder"),
        lambda: bitexact.patch(WORLD, replace={"a": nothing}, dry_run=True),
    ):
        with pytest.raises(FileNotFoundError) as error:
            call()
        assert error.value.errno == 2 and os.fspath(error.value.filename) == str(nothing), inspect.getsource(call)
    with pytest.raises(IsADirectoryError, match="is a folder; name a file"):
        bitexact.read(tmp_path)
    model = bitexact.read(WORLD)
    for call in (
        lambda: model.save(taken), lambda: bitexact.export(WORLD, taken), lambda: bitexact.snapshot(WORLD, taken),
        lambda: bitexact.patch(WORLD, output=taken, set={"/nodes/slots/4/lod/level": 2}), lambda: bitexact.mods.make(WORLD, WORLD, taken),
        lambda: bitexact.unpack(WORLD, tmp_path),
    ):
        with pytest.raises(FileExistsError) as error:
            call()
        assert os.fspath(error.value.filename) in (str(taken), str(tmp_path)), inspect.getsource(call)
    assert taken.read_bytes() == b""
    if os.name == "posix" and os.geteuid() != 0:
        taken.chmod(0)
        with pytest.raises(PermissionError):
            bitexact.read(taken)


def edit(model):
    model.models.slots[0].vertex_count = 3
    model.to_bytes()


def test_warnings_are_at_the_line_of_the_user(world):
    model = bitexact.read(world)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        edit(model)
        bitexact.patch(world, dry_run=True, set={"/magic": 5})
        line = inspect.currentframe().f_lineno - 1
    assert {it.filename for it in caught} == {__file__}
    assert {it.lineno for it in caught} == {inspect.getsourcelines(edit)[1] + 2, line}
    told = [(str(it.message).split(":")[0], it.message.place, it.message.id) for it in caught]
    assert ("recomputed", "/models/slots/0/vertex_count", None) in told and ("deviation", "/magic", None) in told


def test_warnings_of_a_script_name_its_line(world, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        f"import bitexact\nmodel = bitexact.read({str(world)!r})\nmodel.models.slots[0].vertex_count = 3\nmodel.save()\n"
        f"bitexact.patch({str(world)!r}, set={{'/magic': 5}})\n"
    )
    told = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True).stderr
    assert f"{script}:4: BitexactWarning: recomputed: /models/slots/0/vertex_count" in told
    assert f"{script}:5: BitexactWarning: deviation: /magic" in told and "sys:1" not in told


def test_every_error_has_all_its_attributes():
    with pytest.raises(bitexact.BitexactError) as error:
        bitexact.read(WORLD, "anim")
    error = error.value
    assert (error.path, error.found, error.offset, error.place) == (str(WORLD), "gamez", None, None)
    plain = bitexact.BitexactError("plain")
    assert [plain.path, plain.place, plain.offset, plain.expected, plain.found] == [None] * 5


def test_lint_says_which_file_it_cannot_read(tmp_path):
    path = tmp_path / "gamez.zbd"
    path.write_bytes(WORLD.read_bytes()[:3000])
    with pytest.raises(bitexact.BitexactError, match="expected") as error:
        bitexact.lint(path)
    assert error.value.path == str(path)
    with pytest.warns(bitexact.BitexactWarning, match="gamez.zbd: .*expected"):
        bitexact.lint(tmp_path)


def test_a_missing_folder_is_named_as_the_user_named_it(tmp_path, world):
    missing = tmp_path / "missing"
    model = bitexact.read(world)
    model.nodes.slots[4].lod.range_far = 300.0
    for call, path in (
        (lambda: model.save(missing / "a.zbd"), missing / "a.zbd"), (lambda: bitexact.mods.applied(missing), missing),
        (lambda: bitexact.patch(world, output=missing / "a.zbd", set={"/nodes/slots/4/lod/level": 2}), missing / "a.zbd"),
        (lambda: bitexact.mods.make(missing, missing, tmp_path / "a.bxmod"), missing), (lambda: bitexact.mods.undo(missing), missing),
    ):
        with pytest.raises(FileNotFoundError) as error:
            call()
        assert error.value.filename == str(path)


def test_arguments_that_do_not_fit_together_are_refused():
    with pytest.raises(ValueError, match="choose one"):
        bitexact.snapshot(WORLD, sha256sum=True, known=True)
    with pytest.raises(ValueError, match="known=True"):
        bitexact.snapshot(WORLD, edition="1.2")
