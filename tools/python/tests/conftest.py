"""Where the samples are, and the program to compare with."""

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3] if "BITEXACT_GOLDEN" not in os.environ else pathlib.Path("/nowhere")
GOLDEN = pathlib.Path(os.environ.get("BITEXACT_GOLDEN", ROOT / "golden" / "install"))
# If BITEXACT_SHARED is empty, the folder beside the project counts as absent, as in the Rust tests.
SHARED = os.environ.get("BITEXACT_SHARED", ROOT.parent / "shared") or "/nowhere"
CORPORA = pathlib.Path(os.environ.get("BITEXACT_CORPORA", pathlib.Path(SHARED) / "corpora"))
WORLD = GOLDEN / "mw" / "zbd" / "c1" / "gamez.zbd"


def files(folder):
    """Returns all files below a folder, in a fixed order."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


@pytest.fixture
def world(tmp_path):
    """A copy of a world."""
    path = tmp_path / "gamez.zbd"
    path.write_bytes(WORLD.read_bytes())
    return path


@pytest.fixture
def program():
    """Runs the program, whose path BITEXACT_PROGRAM gives."""
    path = os.environ.get("BITEXACT_PROGRAM")
    if not path:
        pytest.skip("BITEXACT_PROGRAM does not name the program")

    def run(*args):
        return subprocess.run([path, *map(str, args)], capture_output=True, text=True, check=False)

    return run
