"""Names that a file may have once: those in memory and those put away are told alike, and equal hashes are no proof."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorespec.formats import names


class Same(str):
    """A text whose hash is that of any other."""

    __slots__ = ()

    def __hash__(self) -> int:
        return 1


def repeats(given: list[str]) -> tuple[list[tuple[str, int, int]], int]:
    found = names.Names()
    for line, name in enumerate(given, 1):
        found.add(name, line)
    first, total = found.repeats()
    return [tuple(each) for each in first], total


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.sampled_from(["a", "b", "c", "d", "e", "é", "", "\n"]), max_size=60),
    st.integers(1, 9),
    st.integers(1, 3),
)
def test_names_in_the_file_are_reported_as_those_in_memory(given: list[str], held: int, chunks: int) -> None:
    expected = repeats(given)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(names, "HELD", held)
        patch.setattr(names, "CHUNKS_AT_ONCE", chunks)
        assert repeats(given) == expected
    assert expected[1] == len(given) - len(set(given))


def test_different_names_of_one_hash_are_no_repeats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "HELD", 3)
    assert repeats([Same(each) for each in "abcdefg"]) == ([], 0)
    assert repeats([Same(each) for each in "abcdefcg"]) == ([("c", 7, 3)], 1)
