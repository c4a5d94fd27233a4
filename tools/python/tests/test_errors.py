"""Errors say where."""

import bitexact
import pytest
from conftest import WORLD


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
    with pytest.raises(bitexact.BitexactError, match="No such file|cannot find"):
        bitexact.read(tmp_path / "nothing")
    with pytest.raises(bitexact.BitexactError, match="is a folder; name a file"):
        bitexact.read(tmp_path)
    with pytest.raises(bitexact.BitexactError, match="expected a file of kind archive, found gamez"):
        bitexact.read(WORLD, "archive")
    with pytest.raises(bitexact.BitexactError, match="no edits"):
        bitexact.patch(WORLD)
    with pytest.raises(TypeError, match="unexpected argument"):
        bitexact.patch(WORLD, seet={})
    with pytest.raises(bitexact.BitexactError, match="No such file|cannot find"):
        bitexact.verify(tmp_path / "nothing")
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
