"""Warnings of edits, shown at the line that made the edit."""

import os
import sys
import warnings

_FOLDER = os.path.dirname(os.path.abspath(__file__)) + os.sep


class BitexactWarning(UserWarning):
    """A warning of the program about an edit: a deviation or a trap that the original does not have, or a value that a rule replaced.

    ``place`` is the place in the file, and ``id`` the id that :func:`bitexact.lint` gives it; None if there is none.
    """

    place = None
    id = None


BitexactWarning.__module__ = "bitexact"


def warn(told):
    """Reports warnings, each a text, a place and an id, at the innermost line outside of this package."""
    frame, level = sys._getframe(0), 1
    while frame.f_back is not None and os.path.abspath(frame.f_code.co_filename).startswith(_FOLDER):
        frame, level = frame.f_back, level + 1
    for text, place, id in told:
        warning = BitexactWarning(text)
        warning.place, warning.id = place, id
        warnings.warn(warning, stacklevel=level)
