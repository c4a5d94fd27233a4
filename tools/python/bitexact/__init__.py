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
import warnings as _warnings

from . import _bitexact, kinds
from ._bitexact import BitexactError, __version__
from ._model import Entries, Entry, List, Model, Part, place_of, plain

__all__ = [
    "BitexactError", "BitexactWarning", "Entries", "Entry", "List", "Model", "Part",
    "diff", "formats", "kinds", "memory_limit", "pack", "patch", "place_of", "plain", "read", "schema", "unpack", "verify",
]


class BitexactWarning(UserWarning):
    """A warning of the program about an edit: a deviation or a trap that the original does not have."""


def read(path, kind=None):
    """Reads a file, of this kind if one is given.

    Raises BitexactError if the file is not of a supported kind, or does not round-trip.
    """
    file = _bitexact.File.read(_os.fsdecode(path))
    if kind is not None and file.kind != kind:
        raise BitexactError(f"{path}: expected a file of kind {kind}, found {file.kind}")
    return kinds.class_of(file.kind)(file)


def verify(paths, *, entries=False, rules=False, via_exchange=False, jobs=None):
    """Verifies the files at and below a path, or several. Returns the rows of ``verify --json``, except for the summary."""
    paths = [paths] if isinstance(paths, (str, bytes, _os.PathLike)) else list(paths)
    rows = _bitexact.verify([_os.fsdecode(path) for path in paths], (entries, rules, via_exchange), jobs)
    return [_json.loads(row) for row in rows]


def unpack(path, folder, *, only=(), force=False):
    """Unpacks a file into a folder of JSON, images, sounds and text. Returns the number of files."""
    only = [only] if isinstance(only, str) else list(only)
    return _bitexact.unpack(_os.fsdecode(path), _os.fsdecode(folder), only, force)


def pack(folder, path, *, force=False):
    """Builds a file from an unpacked folder. Returns its SHA-256, and whether it is the original."""
    sha256, is_original, warnings = _bitexact.pack(_os.fsdecode(folder), _os.fsdecode(path), force)
    for warning in warnings:
        _warnings.warn(warning, BitexactWarning, stacklevel=2)
    return sha256, is_original


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
