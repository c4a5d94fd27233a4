"""The stubs are those of the layout tables, and of what the objects have."""

import ast
import pathlib
import sys

import bitexact
import numpy
from bitexact.kinds import _name
from conftest import GOLDEN

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import stubs  # noqa: E402

PACKAGE = pathlib.Path(bitexact.__file__).parent


def test_stubs_are_up_to_date():
    assert stubs.TARGET.read_text(encoding="utf-8") == stubs.stubs(), "run stubs.py"
    assert stubs.READ.read_text(encoding="utf-8") == stubs.overloads(), "run stubs.py"


def classes():
    tree = ast.parse(stubs.TARGET.read_text(encoding="utf-8"))
    found = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            fields = [it for it in node.body if isinstance(it, ast.AnnAssign)]
            found[node.name] = {it.target.id: ast.unparse(it.annotation) for it in fields}
    return found


def fits(value, of):
    """Returns whether a value has a type of the stubs."""
    if of == "Any":
        return True
    if of.startswith("Union["):
        return any(fits(value, it) for it in of[6:-1].split(", "))
    if of.startswith("_Rows["):
        return isinstance(value, (bitexact.List, numpy.ndarray, list))
    plain = {"_Text": (str, bytes, numpy.ndarray), "int": int, "float": (float, int), "str": str, "bool": bool}
    # A list with an encoding of its own is a plain one.
    plain["_Array"] = (numpy.ndarray, bytes, bitexact.List, list)
    return isinstance(value, plain.get(of, (bitexact.Part, numpy.record)))


def parts(model):
    """Returns a model and all entries in it, with the names of their classes."""
    stack = [model]
    while stack:
        entry = stack.pop()
        stack += entry.entries.values()
        yield entry, _name(entry.kind)


def inner(value, of, known):
    """Returns the parts in a value, with their classes, if the stubs name only one."""
    if of.startswith("_Rows["):
        of = of[6:-1]
        return [(item, of) for item in value[:4] if isinstance(item, bitexact.Part)] if of in known else []
    return [(value, of)] if of in known and isinstance(value, bitexact.Part) else []


def test_objects_have_the_types_of_the_stubs():
    known, seen, wrong = classes(), 0, set()
    for row in bitexact.verify(GOLDEN):
        if row["status"] != "identical":
            continue
        stack = list(parts(bitexact.read(row["path"])))
        while stack:
            part, of = stack.pop()
            fields = known.get(of, {})
            for name in part:
                value = part[name]
                if name in fields:
                    seen += 1
                    if not fits(value, fields[name]) and not isinstance(value, dict):
                        wrong.add(f"{row['path']} {bitexact.place_of(part)} {name}: {fields[name]}, but {value!r:.80}")
                    stack += inner(value, fields[name], known)
    assert seen > 5000 and not wrong, "\n".join(sorted(wrong)[:40])


def test_the_interface_is_in_the_stubs():
    for module, of in ((bitexact, "__init__"), (bitexact._model, "_model"), (bitexact.mods, "mods")):
        tree = ast.parse((PACKAGE / f"{of}.pyi").read_text(encoding="utf-8"))
        told = {node.name for node in ast.walk(tree) if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        names = {alias.asname for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names if alias.asname}
        public = getattr(module, "__all__", ["Part", "List", "Entries", "Entry", "Model", "plain", "place_of"])
        assert not set(public) - told - names - {"kinds"}
    tree = ast.parse((PACKAGE / "_model.pyi").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("Any"):
            real = {name for name, it in vars(getattr(bitexact, node.name)).items() if not name.startswith("_")}
            assert real == {it.name for it in node.body if isinstance(it, ast.FunctionDef) and not it.name.startswith("_")}, node.name
