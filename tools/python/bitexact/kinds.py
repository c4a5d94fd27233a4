"""A class for each kind of file, so that its objects have types. ``kinds.pyi`` lists their members."""

import re

from . import _bitexact
from ._model import Model


def _name(kind):
    name = "".join(word[:1].upper() + word[1:] for word in re.split(r"[^0-9A-Za-z]+", kind))
    # A name cannot begin with a digit, as that of 2da does.
    return f"Of{name}" if name[:1].isdigit() else name


_CLASSES = {
    kind: type(_name(kind), (Model,), {"__slots__": (), "__doc__": title, "__module__": __name__})
    for kind, title, _ in _bitexact.formats()
}
globals().update({of.__name__: of for of in _CLASSES.values()})
__all__ = sorted(of.__name__ for of in _CLASSES.values())


def class_of(kind):
    """Returns the class of a kind."""
    return _CLASSES.get(kind, Model)
