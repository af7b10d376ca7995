"""Regular expressions and dataclasses that are made at first use are like those that are made at once."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import re
from typing import Any, ClassVar, NamedTuple

import pytest

import tracecite_lint.light.lazy as lazy


def both(declare: Any) -> tuple[Any, Any]:
    """Return the class that *declare* makes with the standard library's `dataclass` and `field`, and with ours."""
    return declare(dataclasses.dataclass, dataclasses.field), declare(lazy.dataclass, lazy.field)


def frozen(dataclass: Any, field: Any) -> Any:
    @dataclass(frozen=True, slots=True)
    class Thing:
        kind: ClassVar[str] = "thing"
        name: str
        size: int = 1
        notes: dict[str, str] = field(default_factory=dict, hash=False, repr=False)
        aside: str = field(default="", compare=False)

        def __post_init__(self) -> None:
            if self.size < 0:
                raise ValueError("negative")

    return Thing


def mutable(dataclass: Any, field: Any) -> Any:
    @dataclass(slots=True, kw_only=True)
    class Thing:
        name: str
        items: list[int] = field(default_factory=list)
        doubled: int = field(init=False, default=2)

    return Thing


def ordered(dataclass: Any, field: Any) -> Any:
    @dataclass(frozen=True, slots=True, order=True)
    class Thing:
        line: int
        column: int = 0

    return Thing


def identical(dataclass: Any, field: Any) -> Any:
    @dataclass(eq=False)
    class Thing:
        name: str

    return Thing


def derived(dataclass: Any, field: Any) -> Any:
    @dataclass(frozen=True, slots=True)
    class Base:
        name: str

    @dataclass(frozen=True, slots=True)
    class Thing(Base):
        size: int = 1

    return Thing


@pytest.mark.parametrize(
    ("declare", "values"),
    [
        (frozen, {"name": "a", "aside": "x"}),
        (frozen, {"name": "a", "size": 2, "notes": {"b": "c"}}),
        (mutable, {"name": "a", "items": [1]}),
        (ordered, {"line": 1, "column": 2}),
        (derived, {"name": "a"}),
    ],
)
def test_it_is_made_shown_compared_and_copied_as_a_dataclass_is(declare: Any, values: Any) -> None:
    standard, ours = both(declare)
    one, other = standard(**values), ours(**values)
    assert repr(other) == repr(one)
    assert other == ours(**values)
    assert other != one
    assert other != ours(**{**values, next(iter(values)): 7})
    assert lazy.replace(other) == other == copy.copy(other) == dataclasses.replace(other)
    assert lazy.replace(other, **values) == other
    assert dataclasses.asdict(other) == dataclasses.asdict(one)
    assert dataclasses.is_dataclass(ours)
    assert ours.__match_args__ == standard.__match_args__
    assert list(inspect.signature(ours).parameters) == list(inspect.signature(standard).parameters)
    assert [item.name for item in lazy.fields(ours)] == [
        item.name for item in dataclasses.fields(standard)
    ]


def test_a_frozen_one_has_a_hash_and_cannot_be_changed() -> None:
    standard, ours = both(frozen)
    assert hash(ours("a", notes={"b": "c"})) == hash(standard("a", notes={"b": "c"}))
    assert ours("a", aside="x") == ours("a", aside="y")
    with pytest.raises(dataclasses.FrozenInstanceError):
        ours("a").name = "b"
    with pytest.raises(dataclasses.FrozenInstanceError):
        del ours("a").name
    with pytest.raises(ValueError, match="negative"):
        ours("a", size=-1)
    assert ours.kind == "thing"


def test_the_others_have_none_or_that_of_the_object() -> None:
    with pytest.raises(TypeError):
        hash(both(mutable)[1](name="a"))
    ours = both(identical)[1]
    assert ours("a") != ours("a")
    assert len({ours("a"), ours("a")}) == 2


def test_each_instance_has_a_default_of_its_own() -> None:
    ours = both(mutable)[1]
    ours(name="a").items.append(1)
    assert ours(name="b").items == []
    assert ours(name="b").doubled == 2
    with pytest.raises(TypeError):
        ours("a")
    with pytest.raises(TypeError):
        ours(name="a", doubled=3)
    with pytest.raises(AttributeError):
        ours(name="a").unknown = 1


def test_an_ordered_one_sorts_by_its_fields() -> None:
    ours = both(ordered)[1]
    assert sorted([ours(2), ours(1, 5), ours(1)]) == [ours(1), ours(1, 5), ours(2)]


@lazy.dataclass(frozen=True, slots=True)
class Sent:
    name: str
    size: int = 1


def test_a_frozen_one_goes_to_another_process_and_back() -> None:
    assert pickle.loads(pickle.dumps(Sent("a"))) == Sent("a")  # noqa: S301 - its own bytes


def test_a_pattern_is_compiled_when_a_method_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []

    def counted(source: str, flags: int = 0) -> re.Pattern[str]:
        compiled.append(source)
        return original(source, flags)

    original = re.compile
    monkeypatch.setattr(re, "compile", counted)
    word = lazy.regex("[a-z]+", re.IGNORECASE)
    assert word.pattern == "[a-z]+"
    assert compiled == []
    assert word.findall("A b") == ["A", "b"]
    assert [match[0] for match in word.finditer("A b")] == ["A", "b"]
    assert word.findall("c") == ["c"]
    assert set(compiled) == {"[a-z]+"}
    assert len(compiled) == 2  # one for each method
    assert pickle.loads(pickle.dumps(word)).findall("A") == ["A"]  # noqa: S301 - its own bytes


def test_a_pattern_that_is_none_says_so_at_its_first_use() -> None:
    with pytest.raises(re.error):
        lazy.regex("(").match("")


class Pair(lazy.NamedTuple):
    """Two things."""

    name: str
    size: int = 1

    def doubled(self) -> int:
        return 2 * self.size


class Standard(NamedTuple):
    name: str
    size: int = 1


def test_a_named_tuple_is_one_as_typing_has_them() -> None:
    ours, theirs = Pair("a", size=2), Standard("a", size=2)
    assert ours == theirs == ("a", 2)
    assert (ours.name, ours.size, ours.doubled()) == ("a", 2, 4)
    assert repr(ours) == repr(theirs).replace("Standard", "Pair")
    assert hash(ours) == hash(theirs)
    assert Pair("b") == Pair(name="b") == Pair._make(["b", 1])
    assert Pair._fields == Standard._fields
    assert ours._asdict() == theirs._asdict()
    assert ours._replace(size=3) == ("a", 3)
    assert pickle.loads(pickle.dumps(ours)) == ours  # noqa: S301 - its own bytes
    assert not hasattr(ours, "__dict__")
    match ours:
        case Pair(name, size):
            assert (name, size) == ("a", 2)


@pytest.mark.parametrize(
    "make",
    [
        lambda kind: kind(),
        lambda kind: kind("a", 1, 2),
        lambda kind: kind("a", name="b"),
        lambda kind: kind("a", colour=1),
    ],
)
def test_a_named_tuple_takes_each_field_once(make: Any) -> None:
    for kind in (Pair, Standard):
        with pytest.raises(TypeError):
            make(kind)


def test_more_than_a_few_instances_are_like_the_first_ones() -> None:
    for declare in (frozen, mutable):
        theirs, ours = both(declare)
        made = [ours(name=str(number)) for number in range(3 * lazy._FEW)]
        assert [repr(item) for item in made] == [
            repr(theirs(name=str(number))) for number in range(3 * lazy._FEW)
        ]


def test_the_first_instance_refuses_what_the_later_ones_refuse() -> None:
    for wrong in ({}, {"name": "a", "colour": 1}, {"name": "a", "size": -1}):
        ours = both(frozen)[1]
        with pytest.raises((TypeError, ValueError)):
            ours(**wrong)
