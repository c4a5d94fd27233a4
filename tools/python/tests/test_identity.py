"""Files that nobody edits stay as they are."""

import bitexact
import pytest
from conftest import CORPORA, GOLDEN, files


def supported(folder):
    """Returns the models of the supported files below a folder that round-trip, with their paths."""
    rows = bitexact.verify(folder)
    assert len(rows) == len(files(folder))
    for row in rows:
        if row["status"] == "identical":
            yield row["path"], bitexact.read(row["path"], row["kind"])


def same(folder, tmp_path):
    count = 0
    for path, model in supported(folder):
        with open(path, "rb") as file:
            original = file.read()
        assert model.to_bytes() == original, path
        target = tmp_path / "copy"
        assert model.save(target, force=True) and target.read_bytes() == original, path
        assert not model.save(), f"{path} has not changed, so it is not written"
        count += 1
    return count


def test_unedited_files_of_the_sample_install_come_back(tmp_path):
    assert same(GOLDEN, tmp_path) > 140


def test_unedited_files_of_the_corpora_come_back(tmp_path):
    if not CORPORA.is_dir():
        pytest.skip("no ../shared/corpora")
    assert same(CORPORA, tmp_path) > 100


def arrays(part):
    """Opens all values of a part for writing. Returns the number of arrays."""
    count = 0
    for key in range(min(len(part), 8)) if isinstance(part, bitexact.List) else part:
        value = part[key]
        if isinstance(value, (bitexact.Part, bitexact.List)):
            count += arrays(value)
        elif hasattr(value, "dtype") and value.size:
            value.flags.writeable and value.reshape(-1)[:1].copy()
            value[...] = value.copy()
            count += 1
    return count


def test_arrays_written_with_their_own_values_change_nothing():
    count = 0
    for path, model in supported(GOLDEN):
        count += arrays(model) + sum(arrays(entry) for entry in model.entries.values())
        with open(path, "rb") as file:
            assert model.to_bytes() == file.read(), path
    assert count > 1000


def test_rows_are_those_of_the_program(program):
    import json

    lines = program("verify", "--json", "--entries", GOLDEN).stdout.splitlines()
    told = [row for row in map(json.loads, lines) if "path" in row and "install" not in row]
    assert bitexact.verify(GOLDEN, entries=True) == told
