"""Data files of 1994-2002 games as typed objects, written back without changing a bit.

    >>> import bitexact
    >>> model = bitexact.read("gamez.zbd")
    >>> model.nodes["@dust"].flags
    >>> model.save("edited.zbd")

Places have the notation of the program: ``ENTRY!ENTRY:/list/3/field`` or ``@NAME/field``. A file is written atomically, and only if
the edited file is proven to round-trip; what an edit makes obsolete is recomputed, as by ``bitexact patch``.
"""

import json as _json
import os as _os

from . import _bitexact, kinds, mods
from ._bitexact import BitexactError, __version__
from ._model import Entries, Entry, List, Model, Part, place_of, plain
from ._views import Fixed, Flags, Names, view
from ._warnings import BitexactWarning

__all__ = [
    "BitexactError", "BitexactWarning", "Entries", "Entry", "Fixed", "Flags", "List", "Model", "Names", "Part",
    "compare", "diff", "export", "formats", "import_", "installs", "kinds", "lint", "memory_limit", "mods", "pack", "patch", "place_of",
    "plain", "read", "schema", "snapshot", "unpack", "verify", "view",
]


# Every error has them, also one that is raised elsewhere.
for _name in ("path", "offset", "place", "expected", "found"):
    setattr(BitexactError, _name, None)


def _paths(paths):
    """Returns one path or several as a list."""
    paths = [paths] if isinstance(paths, (str, bytes, _os.PathLike)) else paths
    return [_os.fsdecode(path) for path in paths]


def _path(path):
    return None if path is None else _os.fsdecode(path)


def read(path, kind=None):
    """Reads a file, of this kind if one is given.

    Raises BitexactError if the file is not of a supported kind, or does not round-trip, and FileNotFoundError, PermissionError or
    IsADirectoryError as ``open`` does.
    """
    file = _bitexact.File.read(_os.fsdecode(path))
    if kind is not None and file.kind != kind:
        error = BitexactError(f"{_os.fsdecode(path)}: expected a file of kind {kind}, found {file.kind}")
        error.path, error.expected, error.found = _os.fsdecode(path), f"a file of kind {kind}", file.kind
        raise error
    return kinds.class_of(file.kind)(file)


def verify(paths, *, entries=False, rules=False, via_exchange=False, known=None, jobs=None):
    """Verifies the files at and below a path, or several. Returns the rows of ``verify --json``, without installs and the summary.

    ``known`` is a list of files that are as sold, as for ``verify --known``.
    """
    rows = _bitexact.verify(_paths(paths), (entries, rules, via_exchange), _path(known), jobs)
    return [_json.loads(row) for row in rows]


def installs(folders, *, known=None, jobs=None):
    """Verifies the games below a folder, or several. Returns what ``verify`` says of each: ``verdict``, ``sentence``, ``edition`` and so on."""
    return [_json.loads(row)["install"] for row in _bitexact.installs(_paths(folders), _path(known), jobs)]


def lint(paths, *, all=False, allow=(), jobs=None):
    """Returns the warnings about the files at and below a path, or several: the rows of ``lint --json``, without the summary.

    Raises BitexactError if a file that is named does not decode. A file in a folder that does not decode is a BitexactWarning.
    ``all`` also tells what is usual in unedited files. ``allow`` has the ids of warnings to leave out; ``bitexact.allow`` is not read.
    """
    rows = _bitexact.lint(_paths(paths), all, [allow] if isinstance(allow, str) else list(allow), jobs)
    return [_json.loads(row) for row in rows]


def snapshot(path, output=None, *, sha256sum=False, known=False, edition=None, source="own copy", force=False, jobs=None):
    """Records hashes and a summary of every file at and below a path. Returns the text as bytes, and writes it if ``output`` is given.

    ``sha256sum`` writes only hashes, and ``known`` a table of the files of installs for ``known`` of :func:`verify`, with an edition and a
    source. :func:`compare` takes the first two.
    """
    if sha256sum and known:
        raise ValueError("sha256sum and known are different lists; choose one")
    if edition is not None and not known:
        raise ValueError("only a list of known files has an edition; add known=True")
    if output is not None and not force and _os.path.lexists(output):
        raise FileExistsError(17, "already exists; use force=True to overwrite it", _path(output))
    text = _bitexact.snapshot(_os.fsdecode(path), sha256sum, (edition, source) if known else None, jobs)
    if output is not None:
        _bitexact.write(_path(output), text)
    return text


def compare(path, list, *, jobs=None):
    """Compares the files at and below a path with a snapshot or a list of hashes. Returns the rows of ``verify --against --json`` about
    what is new, missing, moved, changed or decoded differently."""
    return [_json.loads(row) for row in _bitexact.compare(_os.fsdecode(path), _os.fsdecode(list), jobs)]


def export(path, output, *, textures=(), level=0, no_skins=False, force=False):
    """Writes an image, a sound, a model, a level, a table or a text of a file for other programs, as ``bitexact export``.

    ``path`` is a file, ``FILE!ENTRY`` or ``FILE!ENTRY:/PLACE``; the extension of ``output`` selects the format. Returns what the
    output does not show, with counts.
    """
    how = (level, no_skins, force)
    return _bitexact.export(_os.fsdecode(path), _os.fsdecode(output), _paths(textures), how)


def import_(path, model, *, output=None, dry_run=False, backup=False, force=False):
    """Takes the changes of an exported model, table or text back into the file, or writes the result to ``output``.

    ``path`` is what it was exported from. Returns the changes, like :func:`diff`; ``ignored`` in them counts what was not taken.
    """
    text, ignored = _bitexact.import_(_os.fsdecode(path), _os.fsdecode(model), _path(output), (dry_run, backup, force))
    return {**_json.loads(text), "ignored": ignored}


def unpack(path, folder, *, only=(), force=False):
    """Unpacks a file into a folder of JSON, images, sounds and text. Returns the number of files."""
    only = [only] if isinstance(only, str) else list(only)
    return _bitexact.unpack(_os.fsdecode(path), _os.fsdecode(folder), only, force)


def pack(folder, path, *, force=False):
    """Builds a file from an unpacked folder. Returns its SHA-256, and whether it is the original."""
    return _bitexact.pack(_os.fsdecode(folder), _os.fsdecode(path), force)


def diff(old, new):
    """Returns the changes between two files of one kind, as ``diff --json`` prints them."""
    return _json.loads(_bitexact.diff_files(_os.fsdecode(old), _os.fsdecode(new)))


def patch(path, *, output=None, dry_run=False, backup=False, force=False, **edits):
    """Edits a file on disk, or writes the result to ``output``. Returns the changes, like :func:`diff`.

    The edits have the names of the program's options: ``set``, ``insert`` (places and values), ``delete``, ``recompute`` (places),
    ``rename``, ``rename_node`` (old and new names), ``remove`` (entries), ``replace``, ``add`` (entries and their contents: bytes, JSON,
    or the path of a file), ``apply`` (results of :func:`diff`, or files with one) and ``retype``.
    """
    output = None if output is None else _os.fsdecode(output)
    edits = {name: plain(value) for name, value in edits.items()}
    return _json.loads(_bitexact.patch(_os.fsdecode(path), output, dry_run, backup, force, **edits))


def formats():
    """Returns the supported kinds: the title of each, and the codes of its games."""
    return {name: {"title": title, "games": games} for name, title, games in _bitexact.formats()}


def schema(kind):
    """Returns the JSON Schema of the documents of a kind."""
    return _json.loads(_bitexact.schema(kind))


def memory_limit(limit=None):
    """Sets the memory that a file and its model may take, in bytes, if a number is given. Returns the limit."""
    return _bitexact.memory_limit(limit)
