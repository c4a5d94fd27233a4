from typing import Optional

class BitexactWarning(UserWarning):
    place: Optional[str]
    """The place in the file."""
    id: Optional[str]
    """The id of the warning, as `lint` names it."""
