"""A table of the bytes of an install by game, kind and class, with pandas.

    python census.py "C:\\Games" census.csv
"""

import sys

import bitexact


def census(folder):
    """Returns the bytes of all supported files below a folder by game and kind, as a table with a column for each class."""
    import pandas

    rows = [
        {"game": row.get("game") or "|".join(row.get("games", [])), "kind": row["kind"], "files": 1, **row["census"]}
        for row in bitexact.verify(folder)
        if "census" in row
    ]
    return pandas.DataFrame(rows).fillna(0).groupby(["game", "kind"]).sum().astype(int)


def main(folder, target=None):
    table = census(folder)
    print(table.to_string())
    if target:
        table.to_csv(target)


if __name__ == "__main__":
    main(*sys.argv[1:])
