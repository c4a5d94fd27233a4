"""Arrays of numbers that have names, or that are fixed-point: views that show and take what the numbers mean."""

import numbers

import numpy


def view(array):
    """Returns a view of an array in which its numbers are what they mean. It shares the memory of the array.

    Numbers with names give :class:`Names`, sets of flags :class:`Flags`, and fixed-point numbers :class:`Fixed`. The array must be one that
    a file gave, or a field or slice of it; TypeError if its numbers mean nothing else.
    """
    meaning = getattr(array, "dtype", None) and array.dtype.metadata or {}
    for key, of in (("names", Names), ("flags", Flags), ("fixed", Fixed)):
        if key in meaning:
            return of(array, meaning[key])
    if getattr(getattr(array, "dtype", None), "names", None):
        raise TypeError(f"a view is of one field of records, such as view(rows[{array.dtype.names[0]!r}])")
    raise TypeError("the numbers of this array have no names and are not fixed-point")


class _View:
    """A view of an array."""

    __slots__ = ("array",)
    __hash__ = None

    @property
    def shape(self):
        """The lengths of its dimensions."""
        return self.array.shape

    def __len__(self):
        return len(self.array)

    def __iter__(self):
        return (self[index] for index in range(len(self)))

    def __getitem__(self, key):
        found = self.array[key]
        return self._like(found) if isinstance(found, numpy.ndarray) else self._shown(found)

    def __setitem__(self, key, value):
        self.array[key] = self._stored(value)

    def __repr__(self):
        return f"{type(self).__name__}({numpy.asarray(self)!r})"


class Names(_View):
    """Numbers with names. Its items are names, or numbers that have none; both can be assigned and compared."""

    __slots__ = ("names",)

    def __init__(self, array, names):
        self.array, self.names = array.view(numpy.ndarray), dict(names)

    def _like(self, array):
        return type(self)(array, self.names)

    def _shown(self, number):
        number = int(number)
        return next((name for name, of in self.names.items() if of == number), number)

    def _number(self, value):
        if not isinstance(value, str):
            return _whole(value)
        if value not in self.names:
            raise ValueError(f"{value!r} is none of the names {', '.join(self.names)}")
        return self.names[value]

    def _stored(self, value):
        value = numpy.asarray(value) if isinstance(value, _View) else value
        if isinstance(value, (str, numbers.Integral)):
            return _fits(self.array.dtype, self._number(value))
        value = numpy.asarray(value, dtype=object)
        stored = [_fits(self.array.dtype, self._number(item)) for item in value.flat]
        return numpy.array(stored, dtype=self.array.dtype).reshape(value.shape)

    def __array__(self, dtype=None, copy=None):
        shown = numpy.empty(self.array.shape, dtype=object)
        shown.flat = [self._shown(number) for number in self.array.flat]
        return shown if dtype is None else shown.astype(dtype)

    def __eq__(self, other):
        return self.array == self._stored(other)

    def __ne__(self, other):
        return self.array != self._stored(other)


class Flags(Names):
    """Sets of flags. Its items are names with ``|`` between them; ``has`` tells which sets contain a flag."""

    __slots__ = ()

    def _shown(self, number):
        number, shown = int(number), []
        for name, bits in self.names.items():
            if bits and number & bits == bits:
                shown.append(name)
                number &= ~bits
        return "|".join([*shown, *([hex(number)] if number else [])])

    def _number(self, value):
        if not isinstance(value, str):
            return _whole(value)
        number = 0
        for name in filter(None, (name.strip() for name in value.split("|"))):
            number |= int(name, 0) if name[:1].isdigit() else super()._number(name)
        return number

    def has(self, flags):
        """Returns for each set whether it contains all of these flags."""
        number = self._number(flags)
        return self.array & number == number


class Fixed(_View, numpy.lib.mixins.NDArrayOperatorsMixin):
    """Fixed-point numbers. Its items are floats; what is assigned is rounded to the nearest one. numpy calculates with it."""

    __slots__ = ("one",)

    def __init__(self, array, one):
        self.array, self.one = array.view(numpy.ndarray), one

    def _like(self, array):
        return type(self)(array, self.one)

    def _shown(self, number):
        return int(number) / self.one

    def _stored(self, value):
        scaled = numpy.rint(numpy.asarray(value, dtype=float) * self.one)
        limits = numpy.iinfo(self.array.dtype)
        if not numpy.isfinite(scaled).all() or (scaled < limits.min).any() or (scaled > limits.max).any():
            raise OverflowError(f"expected numbers from {limits.min / self.one} to {limits.max / self.one}")
        return scaled.astype(self.array.dtype)

    def __array__(self, dtype=None, copy=None):
        shown = self.array / self.one
        return shown if dtype is None else shown.astype(dtype)

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **how):
        inputs = [numpy.asarray(it) if isinstance(it, Fixed) else it for it in inputs]
        found = getattr(ufunc, method)(*inputs, **how)
        if out is None:
            return found
        for to in out:
            to[...] = found
        return out[0]


def _whole(number):
    """Returns a number that is an integer, or raises TypeError: an array would cut off a fraction, and take True for 1."""
    if isinstance(number, bool) or not isinstance(number, numbers.Integral):
        raise TypeError(f"expected a name or an integer, found {number!r}")
    return number


def _fits(dtype, number):
    """Returns a number that fits an array, or raises OverflowError."""
    limits = numpy.iinfo(dtype)
    if not limits.min <= number <= limits.max:
        raise OverflowError(f"expected numbers from {limits.min} to {limits.max}, found {number}")
    return number
