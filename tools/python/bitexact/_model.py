"""Objects for the parts of a file. They hold only their place: values and arrays come from the file itself."""

import collections.abc
import difflib
import json
import operator
import os

import numpy

from ._bitexact import BitexactError


def plain(value):
    """Returns a part, an array or any value as plain data of Python."""
    if isinstance(value, (Part, List)):
        return value._file.get(value._here())
    if isinstance(value, (numpy.ndarray, numpy.void)) and _has_text(value.dtype):
        raise TypeError("text in an array has no code page; give a list of dictionaries, or write to the array of the file")
    if isinstance(value, numpy.ndarray) and value.dtype.names:
        return [plain(row) for row in value]
    if isinstance(value, numpy.void) and value.dtype.names:
        return {name: plain(value[name]) for name in value.dtype.names}
    if isinstance(value, (numpy.ndarray, numpy.generic)):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    return value


def _has_text(dtype):
    """Returns whether values of a type contain text."""
    return dtype.kind == "S" or any(_has_text(dtype[name].base) for name in dtype.names or ())


def place_of(part):
    """Returns the place of a part, a list or an entry, in the notation of the program."""
    entry, pointer = part._entry, part._pointer
    if not entry:
        return pointer or "/"
    return f"{entry}:{pointer}" if pointer else entry


class _At:
    """Something at a place of a file."""

    __slots__ = ("_file", "_entry", "_pointer", "_age")

    def __init__(self, file, entry="", pointer=""):
        object.__setattr__(self, "_file", file)
        object.__setattr__(self, "_entry", entry)
        object.__setattr__(self, "_pointer", pointer)
        object.__setattr__(self, "_age", len(file.moves))

    def _check(self):
        """Raises BitexactError if an edit has moved the items of a list around this part, so that its place is that of another."""
        moves = self._file.moves
        if self._age == len(moves):
            return
        if any(self._is_moved_by(*move) for move in moves[self._age:]):
            place = place_of(self)
            error = BitexactError(f"{self._file.path}: {place}: an edit has moved the items of its list since; ask for this part again")
            error.path, error.place = str(self._file.path), place
            raise error
        object.__setattr__(self, "_age", len(moves))

    def _is_moved_by(self, entry, pointer, first):
        if entry is None:
            # Entries have moved: those that are known by their numbers are others.
            return any(label.isdigit() or "#" in label for label in self._entry.split("!"))
        if self._entry != entry or not self._pointer.startswith(f"{pointer}/"):
            return False
        index = self._pointer[len(pointer) + 1:].partition("/")[0]
        return not index.isdigit() or int(index) >= first

    def _here(self):
        """Returns its place, if it still is that of this part."""
        self._check()
        return place_of(self)

    def _place(self, key):
        self._check()
        pointer = f"{self._pointer}/{key}"
        return f"{self._entry}:{pointer}" if self._entry else pointer

    def _look(self, key):
        """Returns what a key leads to, or raises KeyError."""
        found = self._file.look(self._place(key))
        if found is None:
            raise KeyError(key)
        kind, value = found
        if kind == "object":
            return Part(self._file, self._entry, f"{self._pointer}/{key}")
        if kind == "list":
            return List(self._file, self._entry, f"{self._pointer}/{key}")
        return _array(value) if kind == "array" else value

    def _put(self, key, value):
        """Sets what a key leads to. An array keeps its memory if the new one has its shape."""
        try:
            old = self._look(key)
        except KeyError:
            old = None
        if isinstance(old, numpy.ndarray) and not isinstance(value, (str, bytes, bytearray)):
            if isinstance(value, numpy.ndarray) and value.dtype.names:
                new = value if value.dtype == old.dtype else None
            else:
                new = numpy.asarray(value) if old.dtype.names is None else None
            if new is not None and new.shape == old.shape and new.dtype.kind in "biufV" and _holds(old, new):
                old[...] = new
                return
        place = self._place(key)
        self._file.set(place, plain(value), False)
        if isinstance(old, List):
            _moved(self._file, [f"{place}/0"])

    def __eq__(self, other):
        if type(self) is not type(other):
            return NotImplemented
        return self._file is other._file and place_of(self) == place_of(other)

    def __hash__(self):
        return hash((id(self._file), self._entry, self._pointer))

    def __copy__(self):
        raise TypeError(f"{place_of(self)} is a place in a file; plain() copies its values")

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __reduce_ex__(self, protocol):
        return self.__copy__()


def _moved(file, places):
    """Notes that the items at these places and all after them have moved, so that parts held over it are known to be stale."""
    for place in places:
        entry, colon, pointer = place.rpartition(":/")
        pointer, _, index = (f"/{pointer}" if colon else place).rpartition("/")
        if index != "-":
            file.moves.append((entry, pointer, int(index) if index.isdigit() else 0))


def _edited(file, edits):
    """Makes edits, and notes what they move."""
    try:
        places = [*_given(edits.get("delete")), *_given(edits.get("insert"))]
        places = [file.resolve(place) for place in places]
        whole = [file.resolve(place) for place in _given(edits.get("set")) if not place.endswith("/-")]
        lists = [place for place in whole if (file.look(place) or ("", 0))[0] == "list"]
    except (BitexactError, TypeError, AttributeError):
        # The edit itself says what is wrong.
        places, lists = [], []
    told = file.edit(**edits)
    _moved(file, [*places, *(f"{place}/0" for place in lists)])
    if edits.get("remove") or edits.get("apply"):
        file.moves.append((None, "", 0))
    return told


def _given(values):
    """Returns the places that an argument names."""
    if isinstance(values, str):
        return [values]
    return [it if isinstance(it, str) else it[0] for it in values or ()]


def _holds(array, values):
    """Returns whether an array can hold values without changing any of them, except for rounding floats."""
    if array.dtype.names:
        return True
    if array.dtype.kind == "f":
        # A number that is too large would become infinite.
        finite = values[numpy.isfinite(values)] if values.dtype.kind == "f" else values
        return not finite.size or bool(numpy.abs(finite).max() <= numpy.finfo(array.dtype).max)
    if values.dtype.kind not in "iu" or array.dtype.kind not in "iu":
        return False
    if not values.size:
        return True
    limits = numpy.iinfo(array.dtype)
    return limits.min <= values.min() and values.max() <= limits.max


def _array(memory):
    """Returns an array over the memory of a file."""
    buffer, offset, dtype, shape = memory
    dtype = numpy.dtype([tuple(field) for field in dtype] if isinstance(dtype, list) else dtype)
    array = numpy.ndarray(shape, _nested(dtype), buffer, offset)
    return array.view(numpy.recarray) if dtype.names else array


def _nested(dtype):
    """Returns the type of rows whose fields are also attributes."""
    return numpy.dtype((numpy.record, dtype)) if dtype.names else dtype


class Part(_At):
    """An object of a file. Its members are attributes and items; those whose names are taken or reserved are items only.

    ``part["/list/3/field"]`` is what is at a place below it, and ``part["@NAME"]`` the object below it with this name.
    """

    __slots__ = ()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self._look(name)
        except KeyError:
            raise AttributeError(self._without(name)) from None

    def __setattr__(self, name, value):
        if hasattr(type(self), name):
            raise AttributeError(f"{name} is not a value of the file; use item access for a member of this name")
        try:
            self._put(name, value)
        except KeyError as error:
            raise AttributeError(*error.args) from None

    def __delattr__(self, name):
        raise AttributeError(f"{self._place(name)} cannot be deleted; only items of lists can")

    def __delitem__(self, name):
        raise TypeError(f"{self._place(name)} cannot be deleted; only items of lists can")

    def __getitem__(self, name):
        if name == "/":
            return self
        if isinstance(name, str) and name.startswith(("@", "/")):
            return _found(self._file, self._below(name))
        try:
            return self._look(name)
        except KeyError:
            raise KeyError(self._without(name)) from None

    def __setitem__(self, name, value):
        if isinstance(name, str) and name.startswith(("@", "/")):
            part, key = _holder(self._file, self._below(name))
            part._put(key, value)
        else:
            self._put(name, value)

    def _below(self, name):
        """Returns the place in the file of what `@NAME` or `/list/3/field` means below this part."""
        self._check()
        if name.startswith("@"):
            name, slash, rest = name.partition("/")
            return self._file.named(place_of(self), name[1:], False) + slash + rest
        entry = f"{self._entry}:" if self._entry else ""
        return entry + self._pointer + name

    def _put(self, name, value):
        try:
            super()._put(name, value)
        except BitexactError as error:
            # The error for a member that its object cannot have.
            if str(error.expected).startswith("no member"):
                raise KeyError(self._without(name)) from None
            raise

    def _without(self, name):
        names = self._names()
        meant = difflib.get_close_matches(str(name), names, 1) or [it for it in names if it.lower() == str(name).lower()]
        advice = f"; did you mean {meant[0]}?" if meant else ""
        return f"{place_of(self)} has no {name}; it has {', '.join(names) or 'no members'}{advice}"

    def __contains__(self, name):
        return name in self._names()

    def __iter__(self):
        return iter(self._names())

    def __len__(self):
        return len(self._names())

    def __bool__(self):
        return True

    def __dir__(self):
        return [*super().__dir__(), *self._names()]

    def _ipython_key_completions_(self):
        return self._names()

    def __repr__(self):
        try:
            return f"<{place_of(self)}: {', '.join(self._names())}>"
        except BitexactError:
            return f"<{place_of(self)}: moved by an edit>"

    def _names(self):
        kind, found = self._file.look(self._here()) or ("", None)
        if kind == "object":
            return found
        # The members of a value with its own encoding, such as all of a GFF.
        return list(found) if kind == "value" and isinstance(found, dict) else []


def _holder(file, place):
    """Returns what holds a place, and the key in it."""
    outer, _, key = file.resolve(place).rpartition("/")
    entry, colon, pointer = outer.rpartition(":")
    return _At(file, entry, pointer if colon else outer), key


def _found(file, place):
    """Returns what is at a place."""
    try:
        if place.endswith(":/"):
            return _all_of(file, place[:-2])
        part, key = _holder(file, place)
        return part._look(key)
    except (KeyError, BitexactError):
        raise KeyError(f"nothing at {place}") from None


def _all_of(file, entry):
    """Returns all of an entry: the entry, or what is in it if that is a list, an array or a value."""
    kind, found = file.look(f"{entry}:/") or ("", None)
    if kind == "array":
        return _array(found)
    if kind == "list":
        return List(file, entry)
    if kind == "value":
        return found
    if file.entry(entry) is None:
        raise KeyError(entry)
    return Entry(file, entry)


class List(_At, collections.abc.Sequence):
    """A list of a file. ``list["@NAME"]`` is the item with this name."""

    __slots__ = ()

    def __len__(self):
        found = self._file.look(self._here())
        return found[1] if found and found[0] == "list" else 0

    def __getitem__(self, key):
        if isinstance(key, slice):
            return [self[index] for index in range(*key.indices(len(self)))]
        if isinstance(key, str) and key.startswith("@"):
            return _found(self._file, self._file.named(place_of(self), key[1:], True))
        return self._look(self._index(key))

    def __setitem__(self, key, value):
        if not isinstance(key, slice):
            self._put(self._index(key), value)
            return
        keys, values = range(*key.indices(len(self))), list(value)
        if len(keys) != len(values):
            raise ValueError(f"{len(values)} values for {len(keys)} items of {place_of(self)}; insert or delete items to change how many there are")
        if values:
            _edited(self._file, {"set": [(self._place(index), plain(item)) for index, item in zip(keys, values)]})

    def __delitem__(self, key):
        keys = range(*key.indices(len(self))) if isinstance(key, slice) else [self._index(key)]
        _edited(self._file, {"delete": [self._place(index) for index in keys]})

    def append(self, value):
        """Adds an item."""
        self.extend([value])

    def extend(self, values):
        """Adds items in one edit."""
        self._file.edit(set=[(self._place("-"), plain(value)) for value in values])

    def insert(self, index, value):
        """Inserts an item before the one at an index, or at the end."""
        index, length = operator.index(index), len(self)
        index = max(index + length, 0) if index < 0 else min(index, length)
        _edited(self._file, {"insert": [(self._place(index), plain(value))]})

    def pop(self, index=-1):
        """Removes an item. Returns it as plain data."""
        index = self._index(index)
        value = self._file.get(self._place(index))
        del self[index]
        return value

    def _index(self, key):
        try:
            index, length = operator.index(key), len(self)
        except TypeError:
            raise TypeError(f"expected an index, a slice or \"@NAME\", found {key!r}") from None
        if not -length <= index < length:
            raise IndexError(f"{place_of(self)} has {length} items, so none at {index}")
        return index % length

    def __repr__(self):
        try:
            return f"<{place_of(self)}: {len(self)} items>"
        except BitexactError:
            return f"<{place_of(self)}: moved by an edit>"


class Entries(collections.abc.Mapping):
    """The entries of a container by their labels, in the order of its table."""

    __slots__ = ("_file", "_entry")

    def __init__(self, file, entry):
        self._file, self._entry = file, entry

    def _all(self):
        return self._file.entries(self._entry)

    def __getitem__(self, label):
        for label in (label, f"{label}#1"):
            place = f"{self._entry}!{label}" if self._entry else label
            kind = self._file.entry(place)
            if kind is not None:
                return Entry(self._file, place)
        raise KeyError(label[:-2])

    def __iter__(self):
        return (label for label, _, _ in self._all())

    def __len__(self):
        return len(self._all())

    def __repr__(self):
        place = f"{self._entry}:/entries" if self._entry else "/entries"
        member = self._file.look(place) is not None
        other = '; the member of this name is an item, ["entries"]' if member else ""
        return f"<{len(self)} entries{other}>"

    def _ipython_key_completions_(self):
        return list(self)


class Entry(Part):
    """An entry of a container: its members, and the entries in it.

    ``entry["ENTRY!ENTRY:/list/3/field"]`` is what is at a place of an entry in it, and ``entry["ENTRY!ENTRY"]`` that entry.
    """

    __slots__ = ()

    def __getitem__(self, name):
        if not isinstance(name, str) or name.startswith(("@", "/")):
            return super().__getitem__(name)
        if ":/" in name:
            return _found(self._file, self._within(name))
        try:
            return self._look(name)
        except KeyError:
            place = self._within(name)
            if self._file.entry(place) is not None:
                return Entry(self._file, place)
            raise KeyError(self._without(name)) from None

    def __setitem__(self, name, value):
        if name == "/" or (isinstance(name, str) and name.endswith(":/")):
            self.set(name, value)
        elif isinstance(name, str) and not name.startswith(("@", "/")) and ":/" in name:
            part, key = _holder(self._file, self._within(name))
            part._put(key, value)
        else:
            super().__setitem__(name, value)

    @property
    def kind(self):
        """The kind of its contents; ``opaque`` if they do not decode."""
        return self._file.entry(self._entry)

    @property
    def entries(self):
        """The entries in it."""
        return Entries(self._file, self._entry)

    def _within(self, place):
        """Returns a place in the file for a place in this entry."""
        self._check()
        if not self._entry or place.startswith("@"):
            return place
        return f"{self._entry}:{place}" if place.startswith("/") else f"{self._entry}!{place}"

    def get(self, place="/"):
        """Returns the value at a place as plain data, with the values that rules compute."""
        return self._file.get(self._within(place))

    def set(self, place, value, *, retype=False):
        """Sets the value at a place. It keeps its type unless ``retype`` is true."""
        place = self._within(place)
        if not place.endswith(":/"):
            place = self._file.resolve(place)
        is_list = (self._file.look(place) or ("", 0))[0] == "list"
        self._file.set(place, plain(value), retype)
        if is_list:
            _moved(self._file, [f"{place}/0"])

    def array(self, place):
        """Returns the array at a place. It shares memory with the file: what is written to it, :meth:`Model.save` writes."""
        return _array(self._file.array(self._within(place)))

    def to_bytes(self):
        """Returns its bytes, with all edits."""
        return self._file.entry_bytes(self._entry)


class Model(Entry):
    """A file. Its members are attributes; arrays share memory with it."""

    __slots__ = ()

    @property
    def kind(self):
        """Its kind."""
        return self._file.kind

    @property
    def games(self):
        """The codes of the games that it can belong to."""
        return self._file.games

    @property
    def path(self):
        """The path from which it was read."""
        return self._file.path

    def lint(self, *, all=False):
        """Returns the warnings about the file with all edits, as :func:`bitexact.lint` does."""
        return [json.loads(row) for row in self._file.lint(all)]

    def edit(self, **edits):
        """Makes edits in one step: all, or none. They are those of :func:`bitexact.patch`.

        Returns the values that have been recomputed: the place, the old and the new value of each.
        """
        return _edited(self._file, {name: plain(value) for name, value in edits.items()})

    def to_bytes(self):
        """Returns the bytes of the file with all edits."""
        return self._file.to_bytes()

    def save(self, path=None, *, force=False, backup=False):
        """Writes the file atomically, to its own path or another. Returns False if nothing has changed, so that nothing was written.

        Raises BitexactError, and writes nothing, if an edit does not fit or if the result would not round-trip, and FileExistsError if a
        file would be replaced that this is not, or that another program has changed meanwhile, unless ``force`` is true.
        """
        return self._file.save(None if path is None else os.fsdecode(path), force, backup)

    def __repr__(self):
        return f"<{self.kind} {self.path}>"
