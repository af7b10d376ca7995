"""What was found out about an object, for as long as it is that very object: no hash, no comparison of what it holds."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Generic, TypeVar

    _Object = TypeVar("_Object")
    _Found = TypeVar("_Found")
else:
    _Object = _Found = None

    class Generic:  # `typing` takes 3 ms of a commit to import
        __slots__ = ()

        def __class_getitem__(cls, kinds: object) -> type:
            return cls


class ByIdentity(Generic[_Object, _Found]):
    """Maps objects to what was found out about them. They are kept alive, so that no other can have their identity."""

    __slots__ = ("_found",)

    def __init__(self) -> None:
        self._found: dict[int, tuple[_Object, _Found]] = {}

    def __len__(self) -> int:
        """Of how many objects something is known."""
        return len(self._found)

    def get(self, key: _Object) -> _Found | None:
        """Return what was found out about *key*, None for nothing."""
        found = self._found.get(id(key))
        return None if found is None else found[1]

    def put(self, key: _Object, found: _Found) -> _Found:
        """Note what was *found* out about *key*, and return it."""
        self._found[id(key)] = key, found
        return found
