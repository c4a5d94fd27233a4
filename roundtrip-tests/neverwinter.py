"""Compares GFF files, as pykotor reads them, with the JSON that bitexact unpacks them to: pairs of FILE and JSON."""

import base64
import json
import struct
import sys

from pykotor.resource.formats.gff import read_gff

LEAVES = {
    "byte": "UInt8", "char": "Int8", "word": "UInt16", "short": "Int16", "dword": "UInt32", "int": "Int32",
    "dword64": "UInt64", "int64": "Int64", "float": "Single", "double": "Double", "cexostring": "String",
    "resref": "ResRef", "cexolocstring": "LocalizedString", "void": "Binary", "struct": "Struct", "list": "List",
}


def compare(place, expected, found):
    if expected != found:
        sys.exit(f"{sys.argv[0]}: {place}: expected {expected!r}, pykotor reads {found!r}")


def compare_struct(place, ours, theirs):
    members = [(label, field) for label, field in ours.items() if not label.startswith("__")]
    compare(f"{place}/__struct_id", ours.get("__struct_id", -1) & 0xFFFFFFFF, theirs.struct_id & 0xFFFFFFFF)
    compare(place, [label for label, _ in members], [label for label, _, _ in theirs])
    for (label, field), (_, kind, value) in zip(members, theirs):
        compare_field(f"{place}/{label}", field, kind.name, value)


def compare_field(place, field, kind, found):
    compare(f"{place}/type", LEAVES[field["type"]], kind)
    if kind == "Struct":
        return compare_struct(place, field["value"], found)
    if kind == "List":
        items = list(found)
        compare(place, len(field["value"]), len(items))
        for nth, (ours, theirs) in enumerate(zip(field["value"], items)):
            compare_struct(f"{place}/{nth}", ours, theirs)
        return None
    if kind == "LocalizedString":
        texts = dict(field["value"])
        compare(f"{place}/id", texts.pop("id", -1) & 0xFFFFFFFF, found.stringref & 0xFFFFFFFF)
        read = {}
        for language, gender, text in found:
            read[str(2 * language.value + gender.value)] = text
        return compare(place, texts, read)
    if kind == "Binary":
        return compare(place, base64.b64decode(field["value64"]), bytes(found))
    if kind == "Single":
        return compare(place, struct.pack("<f", field["value"]), struct.pack("<f", found))
    if kind == "ResRef":
        return compare(place, field["value"], str(found))
    return compare(place, str(field["value"]), str(found))


for path, tree in zip(sys.argv[1::2], sys.argv[2::2]):
    with open(tree, encoding="utf-8") as file:
        compare_struct(path, json.load(file), read_gff(path).root)
    print(path)
