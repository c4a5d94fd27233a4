"""Writes bitexact/kinds.pyi: the members of each kind of file, from the schemas that the layout tables make."""

import hashlib
import keyword
import pathlib
import sys

import bitexact
from bitexact import _bitexact
from bitexact.kinds import _name

FOLDER = pathlib.Path(bitexact.__file__).parent
TARGET, READ = FOLDER / "kinds.pyi", FOLDER / "_read.pyi"
HEADER = '''"""The members of each kind of file. Written by stubs.py from the layout tables; do not edit.

SHA-256 of their schemas: DIGEST

Lists of records are objects, or arrays whose rows have the same attributes; arrays keep their length, so that only objects have `append` and
the like. A value of a field with names is one of them, or a number. Lists with an encoding of their own are plain lists.
"""

from typing import Any, Iterable, Iterator, Protocol, TypeVar, Union, overload

from numpy.typing import NDArray as _NDArray

from ._model import AnyModel as _AnyModel, Entry as _Entry, Model as _Model, Part as _Part

_Array = _NDArray[Any]
# Text; or an array of bytes, which the exchange format has as text.
_Text = Union[str, _Array]
_Row = TypeVar("_Row", covariant=True)


class _Rows(Protocol[_Row]):
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[_Row]: ...
    @overload
    def __getitem__(self, key: Union[int, str]) -> _Row: ...
    @overload
    def __getitem__(self, key: slice) -> Any: ...
    def __setitem__(self, key: Any, value: Any) -> None: ...
    def __delitem__(self, key: Union[int, slice]) -> None: ...
    def append(self, value: Any) -> None: ...
    def extend(self, values: Iterable[Any]) -> None: ...
    def insert(self, index: int, value: Any) -> None: ...
    def pop(self, index: int = -1) -> Any: ...


def class_of(kind: str) -> type[_Model]: ...
'''
PLAIN = {"integer": "int", "number": "float", "string": "str", "boolean": "bool"}


class Kind:
    """The classes of a kind."""

    def __init__(self, kind, schema, base):
        self.name = _name(kind)
        self.schema = schema
        self.classes = {}
        self.kind = kind
        self.add(self.name, schema, base)

    def add(self, name, schema, base):
        """Adds a class for an object."""
        if name in self.classes:
            return name
        self.classes[name] = None
        members = {}
        for part in self.alternatives(schema):
            for key, value in part.get("properties", {}).items():
                if key not in ("$schema", "file"):
                    members.setdefault(key, self.type(f"{name}{_name(key)}", value))
        self.classes[name] = (base, members)
        return name

    def alternatives(self, schema):
        """Returns the schemas of which a value has to fit one."""
        if "$ref" in schema:
            target = schema["$ref"].rpartition("/")[2]
            if target in ("kept", "file"):
                return
            yield {**self.schema["definitions"][target], "definition": target}
        elif "anyOf" in schema:
            for choice in schema["anyOf"]:
                yield from self.alternatives(choice)
        elif isinstance(schema.get("type"), list):
            for of in schema["type"]:
                yield {**schema, "type": of}
        else:
            yield schema

    def type(self, name, schema):
        """Returns the type of a value."""
        found = []
        for part in self.alternatives(schema):
            of = part.get("type", "string" if "enum" in part else None)
            if of == "string" and not {"pattern", "enum"} & set(part):
                found.append("_Text")
            elif of in PLAIN:
                # Text in place of a number has the bits of a float that JSON cannot represent.
                found.append(None if str(part.get("pattern", "")).startswith("^f32") else PLAIN[of])
            elif of == "array":
                found.append(self.array(name, part))
            elif of == "object" and set(part.get("properties", {})) == {"kept", "computed"}:
                found.append("_Array")
            # Text with leftover memory after it is an object, too; attributes are only its text.
            elif of == "object" and part.get("properties"):
                named = self.name + _name(part["definition"]) if "definition" in part else name
                found.append(self.add(named, part, "_Part"))
        found = list(dict.fromkeys(it for it in found if it))
        return f"Union[{', '.join(found)}]" if len(found) > 1 else (found or ["Any"])[0]

    def array(self, name, schema):
        """Returns the type of a list."""
        item = self.type(name, schema.get("items", {}))
        if item in ("int", "float", "bool", "_Array", "Union[int, float]"):
            return "_Array"
        return "Any" if item == "Any" else f"_Rows[{item}]"

    def text(self):
        """Returns the classes as text."""
        text = []
        for name, (base, members) in self.classes.items():
            # What such a file has depends on the file, as the fields of a GFF do.
            if base == "_Model" and not members:
                text.append(f"\nclass {name}(_AnyModel): ...")
                continue
            text.append(f"\nclass {name}({base}):")
            # Reserved names, and those that every file has, are items only.
            taken = set(dir(getattr(bitexact, base[1:])))
            members = {key: of for key, of in members.items() if key.isidentifier() and not keyword.iskeyword(key) and key not in taken}
            text += [f"    {key}: {of}" for key, of in members.items()] or ["    ..."]
        return "\n".join(text) + "\n"


def stubs():
    """Returns the text of kinds.pyi."""
    files = set(bitexact.formats())
    schemas = set(_bitexact.schemas())
    # A test that needs no Python compares it with that of the program's schemas.
    digest = hashlib.sha256("".join(_bitexact.schema(kind) for kind in sorted(schemas)).encode()).hexdigest()
    text = [HEADER.replace("DIGEST", digest)]
    for kind in sorted({*schemas, *files}):
        schema = bitexact.schema(kind) if kind in schemas else {}
        text.append(Kind(kind, schema, "_Model" if kind in files else "_Entry").text())
    return "\n".join(text)


def overloads():
    """Returns the text of _read.pyi: the type that `read` returns for each kind."""
    text = ['"""What `bitexact.read` returns for each kind. Written by stubs.py; do not edit."""', ""]
    text += ["from os import PathLike", "from typing import Any, Literal, Union, overload", "", "from . import kinds"]
    text += ["from ._model import AnyModel", "", "_Path = Union[str, bytes, PathLike[str], PathLike[bytes]]", ""]
    for kind in sorted(bitexact.formats()):
        text += ["@overload", f'def read(path: _Path, kind: Literal["{kind}"]) -> kinds.{_name(kind)}: ...']
    # The name of a kind that is not known before can be that of any.
    text += ["@overload", "def read(path: _Path, kind: None = None) -> AnyModel: ..."]
    text += ["@overload", "def read(path: _Path, kind: str) -> Any: ..."]
    return "\n".join(text) + "\n"


if __name__ == "__main__":
    TARGET.write_text(stubs(), encoding="utf-8")
    READ.write_text(overloads(), encoding="utf-8")
    sys.stdout.write(f"{TARGET}: {len(bitexact.formats())} kinds of files\n")
