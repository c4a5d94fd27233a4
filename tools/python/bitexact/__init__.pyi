from os import PathLike
from typing import Any, Dict, Iterable, List as _List, Mapping, Optional, Sequence, Tuple, Union

from . import _model as _model, kinds as kinds, mods as mods
from ._model import Entries as Entries, Entry as Entry, List as List, Model as Model, Part as Part, place_of as place_of, plain as plain
from ._read import read as read
from ._views import Fixed as Fixed, Flags as Flags, Names as Names, view as view
from ._warnings import BitexactWarning as BitexactWarning

__version__: str

_Path = Union[str, bytes, PathLike[str], PathLike[bytes]]
_Values = Union[Mapping[str, Any], Iterable[Tuple[str, Any]]]
_Names = Union[Mapping[str, str], Iterable[Tuple[str, str]]]


class BitexactError(Exception):
    path: Optional[str]
    """The file."""
    offset: Optional[int]
    """The offset in the file, if the error is at one."""
    place: Optional[str]
    """The place in the file."""
    expected: Optional[str]
    found: Optional[str]


def verify(
    paths: Union[_Path, Iterable[_Path]],
    *,
    entries: bool = False,
    rules: bool = False,
    via_exchange: bool = False,
    known: Optional[_Path] = None,
    jobs: Optional[int] = None,
) -> _List[Dict[str, Any]]: ...
def installs(
    folders: Union[_Path, Iterable[_Path]], *, known: Optional[_Path] = None, jobs: Optional[int] = None
) -> _List[Dict[str, Any]]: ...
def lint(
    paths: Union[_Path, Iterable[_Path]],
    *,
    all: bool = False,
    allow: Union[str, Iterable[str]] = (),
    jobs: Optional[int] = None,
) -> _List[Dict[str, Any]]: ...
def snapshot(
    path: _Path,
    output: Optional[_Path] = None,
    *,
    sha256sum: bool = False,
    known: bool = False,
    edition: Optional[str] = None,
    source: str = "own copy",
    force: bool = False,
    jobs: Optional[int] = None,
) -> bytes: ...
def compare(path: _Path, list: _Path, *, jobs: Optional[int] = None) -> _List[Dict[str, Any]]: ...
def export(
    path: _Path,
    output: _Path,
    *,
    textures: Union[_Path, Iterable[_Path]] = (),
    level: int = 0,
    no_skins: bool = False,
    force: bool = False,
) -> Dict[str, int]: ...
def import_(
    path: _Path,
    model: _Path,
    *,
    output: Optional[_Path] = None,
    dry_run: bool = False,
    backup: bool = False,
    force: bool = False,
) -> Dict[str, Any]: ...
def unpack(path: _Path, folder: _Path, *, only: Union[str, Sequence[str]] = (), force: bool = False) -> int: ...
def pack(folder: _Path, path: _Path, *, force: bool = False) -> Tuple[str, bool]: ...
def diff(old: _Path, new: _Path) -> Dict[str, Any]: ...
def patch(
    path: _Path,
    *,
    output: Optional[_Path] = None,
    dry_run: bool = False,
    backup: bool = False,
    force: bool = False,
    set: _Values = ...,
    delete: Union[str, Iterable[str]] = ...,
    insert: _Values = ...,
    recompute: Union[str, Iterable[str]] = ...,
    rename: _Names = ...,
    rename_node: _Names = ...,
    remove: Union[str, Iterable[str]] = ...,
    replace: _Values = ...,
    add: _Values = ...,
    apply: Any = ...,
    retype: bool = False,
) -> Dict[str, Any]: ...
def formats() -> Dict[str, Dict[str, Any]]: ...
def schema(kind: str) -> Dict[str, Any]: ...
def memory_limit(limit: Optional[int] = None) -> int: ...
