"""Lists the textures of an install: their packages, sizes and names.

    python list_textures.py "C:\\Games\\MechWarrior 3"
"""

import sys

import bitexact


def textures(folder):
    """Yields the path of each package, and the label, width and height of each image in it."""
    for row in bitexact.verify(folder):
        if row.get("kind") == "texture" and row["status"] == "identical":
            package = bitexact.read(row["path"], "texture")
            for label, image in package.entries.items():
                if image.kind == "image":
                    yield row["path"], label, image.width, image.height


def main(folder):
    for path, label, width, height in textures(folder):
        print(f"{path}: {label}: {width} x {height}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
