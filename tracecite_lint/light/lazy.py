"""What is made at its first use and not at import: regular expressions, the methods of dataclasses, named tuples.

A commit imports some hundred modules and uses a small part of them. `re.compile` takes half a millisecond on average,
`dataclasses.dataclass` one and `typing.NamedTuple` a third of one; all of them together were half of what a warm commit took
(docs/performance.md).
"""

from __future__ import annotations

import re
from functools import partial
from operator import attrgetter, itemgetter

TYPE_CHECKING = False  # as type checkers know it; `typing` takes longer to import than all of this
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
    from dataclasses import fields as fields
    from dataclasses import replace as replace
    from typing import Any, AnyStr
    from typing import NamedTuple as NamedTuple

    def regex(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
        """Return what `re.compile` returns, compiled when it is first used."""
else:

    def regex(source, flags=0):
        return _Pattern(source, flags)


class _Pattern:
    """A pattern that is compiled when a method of it is first asked for; after that its methods are plain attributes."""

    def __init__(self, source: str | bytes, flags: int) -> None:
        self.pattern = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self.pattern, self._flags)
        found = getattr(compiled, name)
        setattr(self, name, found)
        return found

    def __reduce__(self) -> tuple[object, ...]:
        return _Pattern, (self.pattern, self._flags)

    def __repr__(self) -> str:
        return f"regex({self.pattern!r}, {self._flags!r})"


_MISSING: Any = object()


class Field:
    """A field of a dataclass, with the attributes that `dataclasses.Field` has."""

    def __init__(
        self,
        *,
        default: Any = _MISSING,
        default_factory: Any = _MISSING,
        init: bool = True,
        repr: bool = True,
        hash: bool | None = None,
        compare: bool = True,
        metadata: Mapping[Any, Any] | None = None,
        kw_only: bool = False,
    ) -> None:
        self.name = self.type = ""
        self.default, self.default_factory = default, default_factory
        self.init, self.repr, self.hash, self.compare = init, repr, hash, compare
        self.metadata = metadata or {}
        self.kw_only = kw_only

    @property
    def parameter(self) -> str:
        """The field as a parameter of `__init__`, with its default."""
        if self.default_factory is not _MISSING:
            return f"{self.name}=_MISSING"
        return self.name if self.default is _MISSING else f"{self.name}=_default_{self.name}"

    def assignment(self, *, frozen: bool) -> str:
        """Return the line of `__init__` that sets the field; "" for one that `__post_init__` sets."""
        if self.default_factory is not _MISSING:
            made = f"_default_{self.name}()"
            value = f"{made} if {self.name} is _MISSING else {self.name}" if self.init else made
        elif self.init:
            value = self.name
        elif self.default is _MISSING:
            return ""
        else:
            value = f"_default_{self.name}"
        return f"_set_{self.name}(self, {value})" if frozen else f"self.{self.name} = {value}"


_FEW = 16
"""So many instances are set up field by field: to write and compile an `__init__` takes as long as this."""


class _Init:
    """Stands in for the `__init__` of a class until somebody asks for that, or more than a few instances were made."""

    def __init__(self, cls: type) -> None:
        self._class = cls
        self._left = _FEW

    def __get__(self, instance: object, owner: type) -> Any:
        if instance is not None and self._left:
            self._left -= 1
            return partial(self._set_up, instance)
        made = self._made()
        return made if instance is None else made.__get__(instance, owner)

    def _made(self) -> Any:
        made = _make_init(self._class)
        self._class.__init__ = made  # type: ignore[misc]
        return made

    def _set_up(self, instance: Any, /, *values: object, **named: object) -> None:
        if not _set_fields(self._class, instance, values, named):
            self._made()(instance, *values, **named)  # which says what is wrong
        elif hasattr(self._class, "__post_init__"):
            instance.__post_init__()


def _set_fields(
    cls: Any, instance: object, values: tuple[object, ...], named: Mapping[str, object]
) -> bool:
    """Set the fields of an instance of *cls* as its `__init__` would; False where that would not take the arguments."""
    taken, left = 0, list(reversed(values))
    known: Mapping[str, Field] = cls.__lazy_fields__
    for name, field in known.items():
        if left and field.init and not field.kw_only:
            value = left.pop()
        elif name in named and field.init:
            value = named[name]
            taken += 1
        elif field.default_factory is not _MISSING:
            value = field.default_factory()
        elif field.default is not _MISSING:
            value = field.default
        elif field.init:
            return False
        else:
            continue
        object.__setattr__(instance, name, value)
    return not left and taken == len(named)


def _make_init(cls: type) -> Any:
    """Return an `__init__` written out for the fields of *cls*, as a dataclass has one."""
    known: dict[str, Field] = cls.__lazy_fields__  # type: ignore[attr-defined]
    names: dict[str, Any] = {"_MISSING": _MISSING}
    for field in known.values():
        held = field.default if field.default_factory is _MISSING else field.default_factory
        names[f"_default_{field.name}"] = held
        # Slots are set through their descriptors: neither `__setattr__` of a frozen class nor a name is looked up.
        slot = cls.__dict__.get(field.name)
        is_slot = hasattr(slot, "__set__")
        names[f"_set_{field.name}"] = (
            slot.__set__ if is_slot else partial(_set, field.name)  # type: ignore[union-attr]
        )
    given = [field for field in known.values() if field.init]
    plain = [field.parameter for field in given if not field.kw_only]
    by_name = [field.parameter for field in given if field.kw_only]
    parameters = ["self", *plain, *(["*", *by_name] if by_name else [])]
    frozen = cls.__dict__.get("__setattr__") is _refuse_set
    lines = [line for field in known.values() if (line := field.assignment(frozen=frozen))]
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    source = f"def __init__({', '.join(parameters)}):\n " + "\n ".join(lines or ["pass"])
    exec(source, names)
    made = names["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    made.__annotations__ = {field.name: field.type for field in given} | {"return": "None"}
    return made


def _set(name: str, instance: object, value: object) -> None:
    object.__setattr__(instance, name, value)


class _StandardFields:
    """The attribute by which the functions of `dataclasses` know a dataclass, made when one of them looks at it."""

    def __get__(self, instance: object, owner: Any) -> dict[str, Any]:
        import dataclasses

        known: Mapping[str, Field] = owner.__lazy_fields__
        declared = [(name, field.type, _standard(field)) for name, field in known.items()]
        made: Any = dataclasses.make_dataclass(owner.__name__, declared)
        standard: dict[str, Any] = made.__dataclass_fields__
        return standard


def _standard(field: Field) -> Any:
    import dataclasses

    def value(held: Any) -> Any:
        return dataclasses.MISSING if held is _MISSING else held

    return dataclasses.field(
        default=value(field.default),
        default_factory=value(field.default_factory),
        init=field.init,
        repr=field.repr,
        hash=field.hash,
        compare=field.compare,
        metadata=field.metadata,
        kw_only=True,  # so that the order of defaults does not matter here
    )


def _repr(self: Any) -> str:
    known = self.__lazy_fields__.values()
    shown = (f"{field.name}={getattr(self, field.name)!r}" for field in known if field.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _eq(self: Any, other: Any) -> Any:
    if type(other) is not type(self):
        return NotImplemented
    return self.__lazy_compared__(self) == self.__lazy_compared__(other)


def _lt(self: Any, other: Any) -> Any:
    if type(other) is not type(self):
        return NotImplemented
    return self.__lazy_compared__(self) < self.__lazy_compared__(other)


def _hash(self: Any) -> int:
    return hash(self.__lazy_hashed__(self))


def _refuse_set(self: object, name: str, value: object) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_delete(self: object, name: str) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _get_state(self: Any) -> list[object]:
    return [getattr(self, name) for name in self.__lazy_fields__]


def _set_state(self: Any, state: Iterable[object]) -> None:
    for name, value in zip(self.__lazy_fields__, state, strict=True):
        object.__setattr__(self, name, value)


def _getter(names: list[str]) -> Callable[[Any], Any]:
    """Return what gives the values of *names* as something that can be compared and hashed."""
    return staticmethod(attrgetter(*names)) if names else staticmethod(lambda self: ())


def _dataclass(
    cls: Any,
    *,
    frozen: bool = False,
    slots: bool = False,
    kw_only: bool = False,
    eq: bool = True,
    order: bool = False,
) -> Any:
    space = dict(cls.__dict__)
    for name in ("__dict__", "__weakref__"):
        space.pop(name, None)
    known: dict[str, Field] = dict(getattr(cls, "__lazy_fields__", {}))
    own = _own_fields(space, kw_only=kw_only)
    known |= own
    space["__qualname__"] = cls.__qualname__
    space["__lazy_fields__"] = known
    space["__dataclass_fields__"] = _StandardFields()
    space.setdefault(
        "__match_args__", tuple(f.name for f in known.values() if f.init and not f.kw_only)
    )
    space.setdefault("__repr__", _repr)
    if eq:
        _add_comparison(space, known, frozen=frozen, order=order)
    if frozen:
        space |= {"__setattr__": _refuse_set, "__delattr__": _refuse_delete}
    if slots:
        _add_slots(space, own, frozen=frozen)
    made = type(cls)(cls.__name__, cls.__bases__, space)
    if "__init__" not in cls.__dict__:
        made.__init__ = _Init(made)
    return made


def _own_fields(space: dict[str, Any], *, kw_only: bool) -> dict[str, Field]:
    """Return the fields that the body *space* of a class declares; their defaults stay there, as in a dataclass."""
    own = {}
    for name, kind in space.get("__annotations__", {}).items():
        if kind.startswith("ClassVar"):
            continue
        value = space.get(name, _MISSING)
        made = value if isinstance(value, Field) else Field(default=value)
        made.name, made.type, made.kw_only = name, kind, made.kw_only or kw_only
        if made.default is _MISSING:
            space.pop(name, None)
        else:
            space[name] = made.default
        own[name] = made
    return own


def _add_comparison(
    space: dict[str, Any], known: Mapping[str, Field], *, frozen: bool, order: bool
) -> None:
    compared = [field.name for field in known.values() if field.compare]
    space.setdefault("__eq__", _eq)
    space["__lazy_compared__"] = _getter(compared)
    if frozen and space.get("__hash__") is None:
        hashed = (f.name for f in known.values() if (f.compare if f.hash is None else f.hash))
        space["__lazy_hashed__"] = _getter(list(hashed))
        space["__hash__"] = _hash
    if order:
        space["__lt__"] = _lt


def _add_slots(space: dict[str, Any], own: Iterable[str], *, frozen: bool) -> None:
    for name in own:
        space.pop(name, None)
    space["__slots__"] = tuple(own)
    if frozen:
        space |= {"__getstate__": _get_state, "__setstate__": _set_state}


if not TYPE_CHECKING:

    def dataclass(cls=None, **options):
        """Make a dataclass as `dataclasses.dataclass` does, its `__init__` when it is first called.

        Of the options there are frozen, slots, kw_only, eq and order (`<` alone). Annotations have to be strings (`from
        __future__ import annotations`). `dataclasses.replace`, `fields`, `asdict` and `is_dataclass` take such classes.
        """
        return partial(_dataclass, **options) if cls is None else _dataclass(cls)

    field = Field

    def fields(cls):
        """Return the fields of a dataclass or of an instance of one."""
        return tuple(cls.__lazy_fields__.values())

    def replace(instance, /, **changes):
        """Return a copy of *instance* with other values for some fields, as `dataclasses.replace` does."""
        for name, field in instance.__lazy_fields__.items():
            if field.init and name not in changes:
                changes[name] = getattr(instance, name)
        return type(instance)(**changes)

    try:
        from _collections import (
            _tuplegetter as _item,  # what `collections.namedtuple` takes as well
        )
    except ImportError:

        def _item(index, doc):
            return property(itemgetter(index), doc=doc)

    class _NamedTupleType(type):
        def __new__(kind, name, bases, space):
            if bases and not hasattr(bases[0], "_fields"):
                fields = tuple(space.get("__annotations__", ()))
                defaults = {field: space[field] for field in fields if field in space}
                items = {field: _item(at, None) for at, field in enumerate(fields)}
                space |= {"__slots__": (), "__match_args__": fields, **items}
                space |= {"_fields": fields, "_field_defaults": defaults}
            elif not bases:
                bases, space["__slots__"] = (tuple,), ()
            return super().__new__(kind, name, bases, space)

    class NamedTuple(metaclass=_NamedTupleType):
        """A named tuple as `typing.NamedTuple` declares one, whose methods are not written for each class."""

        def __new__(cls, /, *values, **named):
            if named or len(values) != len(cls._fields):
                values = _filled(cls, values, named)
            return tuple.__new__(cls, values)

        def __repr__(self):
            shown = zip(self._fields, self, strict=True)
            return f"{type(self).__name__}({', '.join(f'{name}={item!r}' for name, item in shown)})"

        def __getnewargs__(self):
            return tuple(self)

        @classmethod
        def _make(cls, values):
            return cls(*values)

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def _replace(self, /, **changes):
            return type(self)(**self._asdict() | changes)

    def _filled(cls, values, named):
        """Return the items of a named tuple. Raises TypeError."""
        given = dict(zip(cls._fields, values, strict=False))
        if (
            len(values) > len(cls._fields)
            or given.keys() & named
            or named.keys() - set(cls._fields)
        ):
            raise TypeError(f"{cls.__name__} takes {', '.join(cls._fields)}, each once")
        items = cls._field_defaults | given | named
        if missing := [field for field in cls._fields if field not in items]:
            raise TypeError(f"{cls.__name__} misses {', '.join(missing)}")
        return [items[field] for field in cls._fields]
