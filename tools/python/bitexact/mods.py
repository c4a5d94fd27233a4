"""Mods: changes of an install or of one file, made from an edited copy, applied as a whole and undone bit for bit.

A mod is a text, or a ``.bxmod``, a zip file with the text, a manifest and a picture. ``bitexact mod`` reads and writes the same files.
"""

import io as _io
import json as _json
import os as _os
import zipfile as _zipfile

from . import _bitexact
from ._bitexact import BitexactError

__all__ = ["applied", "apply", "check", "finish", "make", "show", "undo"]

_CHANGES, _MANIFEST = "changes.jsonl", "mod.json"
_PICTURES = {b"\x89PNG": "png", b"\xff\xd8\xff": "jpg"}


def make(original, mine, output, *, title=None, author=None, version=None, description=None, picture=None, force=False):
    """Makes a mod that turns a folder or a file into an edited copy of it. Returns what the mod is, like :func:`show`.

    ``output`` is the file to write; as ``.bxmod`` or ``.zip`` it is an archive, which can have a picture (PNG or JPEG).
    """
    output = _os.fsdecode(output)
    if not force and _os.path.lexists(output):
        raise FileExistsError(17, "already exists; use force=True to overwrite it", output)
    files = []
    if picture is not None:
        if not _is_archive(output):
            raise ValueError("a text has no picture; call the mod NAME.bxmod, which is an archive")
        with open(picture, "rb") as file:
            picture = file.read()
        end = next((end for begin, end in _PICTURES.items() if picture.startswith(begin)), None)
        if end is None:
            raise ValueError("expected a picture as PNG or JPEG")
        files.append((f"picture.{end}", picture))
    about = (title, author, version, description)
    text, manifest = _bitexact.make_mod(_os.fsdecode(original), _os.fsdecode(mine), output, about)
    if _is_archive(output):
        text = _archive([(_MANIFEST, manifest), *files, (_CHANGES, text)])
    _bitexact.write(output, text)
    return {"name": _os.path.basename(output), **_json.loads(manifest)}


def show(mod):
    """Returns what a mod is: its name, what it says about itself (``title``, ``author`` and so on), and ``files``, a line for each."""
    return _json.loads(_bitexact.show_mod(*_named(mod)))


def check(game, mods, *, renumber=False):
    """Returns why mods cannot be applied to a game together, one line for each reason; an empty list if they can. Writes nothing."""
    return _bitexact.check_mods(_os.fsdecode(game), _all(mods), renumber)[0]


def apply(game, mods, *, renumber=False):
    """Applies mods to the folder of a game or to one file, in this order, all or none. Returns the files that have changed.

    ``renumber`` gives rows that several mods append to one table the next free numbers. BitexactError if the mods do not fit.
    """
    return _json.loads(_bitexact.apply_mods(_os.fsdecode(game), _all(mods), renumber))


def undo(game, mod=None):
    """Undoes a mod, or an edit that the program has recorded, by name; the last one without. Returns its name and the changed files."""
    name, files = _bitexact.undo_mod(_os.fsdecode(game), None if mod is None else _os.path.basename(_os.fsdecode(mod)))
    return name, _json.loads(files)


def applied(game):
    """Returns the mods and edits of a game, the first one first, as ``mod list --json`` prints them."""
    return _json.loads(_bitexact.applied_mods(_os.fsdecode(game)))


def finish(game):
    """Finishes or takes back the changes of a call that was interrupted. Returns whether there was one; every other call does it, too."""
    return _bitexact.finish_mods(_os.fsdecode(game))


def _is_archive(path):
    return path.lower().endswith((".bxmod", ".zip"))


def _all(mods):
    return [_named(mod) for mod in ([mods] if isinstance(mods, (str, bytes, _os.PathLike)) else mods)]


def _named(mod):
    """Returns the name of a mod and its text."""
    path = _os.fsdecode(mod)
    with open(path, "rb") as file:
        if not _zipfile.is_zipfile(file):
            file.seek(0)
            return _os.path.basename(path), file.read()
        with _zipfile.ZipFile(file) as archive:
            try:
                info = archive.getinfo(_CHANGES)
            except KeyError:
                raise _error(path, f"expected a mod, found an archive without {_CHANGES}") from None
            if info.file_size > _bitexact.memory_limit(None):
                raise _error(path, f"has {info.file_size} bytes of changes, more than memory_limit() allows")
            try:
                return _os.path.basename(path), archive.read(info)
            except (_zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError) as error:
                raise _error(path, f"{_CHANGES}: {error}") from None


def _error(path, why):
    error = BitexactError(f"{path}: {why}")
    error.path = path
    return error


def _archive(entries):
    """Returns an archive. The same mod gives the same bytes."""
    file = _io.BytesIO()
    with _zipfile.ZipFile(file, "w") as archive:
        for name, data in entries:
            info = _zipfile.ZipInfo(name)
            info.compress_type, info.create_system, info.external_attr = _zipfile.ZIP_DEFLATED, 3, 0o100644 << 16
            archive.writestr(info, data)
    return file.getvalue()
