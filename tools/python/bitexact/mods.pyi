from os import PathLike
from typing import Any, Dict, Iterable, List, Optional, Tuple, Union

_Path = Union[str, bytes, PathLike[str], PathLike[bytes]]
_Mods = Union[_Path, Iterable[_Path]]

def make(
    original: _Path,
    mine: _Path,
    output: _Path,
    *,
    title: Optional[str] = None,
    author: Optional[str] = None,
    version: Optional[str] = None,
    description: Optional[str] = None,
    picture: Optional[_Path] = None,
    force: bool = False,
) -> Dict[str, Any]: ...
def show(mod: _Path) -> Dict[str, Any]: ...
def check(game: _Path, mods: _Mods, *, renumber: bool = False) -> List[str]: ...
def apply(game: _Path, mods: _Mods, *, renumber: bool = False) -> List[Dict[str, Any]]: ...
def undo(game: _Path, mod: Optional[_Path] = None) -> Tuple[str, List[Dict[str, Any]]]: ...
def applied(game: _Path) -> List[Dict[str, Any]]: ...
def finish(game: _Path) -> bool: ...
