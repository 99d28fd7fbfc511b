"""The functions that align words: against a cell by cell oracle, and where their rules show."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from operator import eq
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from marks import first, slow
from oracles.word_alignment import equal_with_fragments, sclite_blocks
from scorespec.errors import RunError
from scorespec.functions import RELATION_FUNCTIONS, cheapest_paths, phonetics
from scorespec.functions.edits import alike

COSTS = {"substitution_cost": 4, "deletion_cost": 3, "insertion_cost": 3, "optional_cost": 2}


def call(name: str, rows: dict[str, list[Any]], size: int = 7, **settings: Any) -> list[dict[str, Any]]:
    table = pa.table(rows)
    function = RELATION_FUNCTIONS[name]
    batches = list(function.call(iter(table.to_batches(size)), table.schema, **settings))
    assert all(batch.schema == function.schema(table.schema) for batch in batches)
    return [row for batch in batches for row in batch.to_pylist()]


def words(pairs: Iterable[tuple[Sequence[str], Sequence[str]]], optional: Sequence[str] = ()) -> dict[str, list[Any]]:
    rows = [(g, side, text) for g, pair in enumerate(pairs) for side, texts in enumerate(pair) for text in texts]
    group, side, text = (list(each) for each in zip(*rows, strict=True))
    return {"group": group, "side": side, "text": text, "optional": [each in optional for each in text]}


def steps(rows: list[dict[str, Any]]) -> dict[int, list[tuple[int, int]]]:
    found: dict[int, list[tuple[int, int]]] = {}
    correct: dict[int, int] = {}
    for row in sorted(rows, key=lambda row: (row["group"], row["block"])):
        blocks = found.setdefault(row["group"], [])
        blocks.append((row["left"], row["right"]))
        assert row["block"] == len(blocks) - 1
        assert (row["left_end"], row["right_end"]) == tuple(map(sum, zip(*blocks, strict=True)))
        assert row["correct_before"] == correct.get(row["group"], 0)
        correct[row["group"]] = row["correct_before"] + row["correct"]
    return found


def random_pairs(chance: random.Random, letters: str, count: int, size: int) -> list[tuple[list[str], list[str]]]:
    texts = [[chance.choice(letters) for _ in range(chance.randrange(size))] for _ in range(2 * count)]
    return [pair for pair in zip(texts[::2], texts[1::2], strict=True) if pair != ([], [])]


def check(pairs: Sequence[tuple[Sequence[str], Sequence[str]]], costs: dict[str, int], optional: str = "") -> None:
    """Compare the paths of all pairs with those of the oracle, step by step."""
    found = steps(call("cheapest_edits", words(pairs, optional), 100, **costs))
    for number, pair in enumerate(pairs):
        drop, add = (
            lambda word, cost=costs[name]: costs["optional_cost"] if word in optional else cost  # type: ignore[misc]
            for name in ("deletion_cost", "insertion_cost")
        )
        blocks = sclite_blocks(*pair, eq, costs["substitution_cost"], drop, add)
        assert found[number] == [(b - a, d - c) for a, b, c, d in blocks], pair


BOUNDS = {
    "usual": {},
    "few side by side": {"COLUMNS_AT_ONCE": 40},
    "in bands": {"LONG": 1},
    "in bands, in parts": {"LONG": 1, "STEP_BYTES": 10},
    "numbers": {"MOST_KINDS": 0},
    "numbers in bands, in parts": {"MOST_KINDS": 0, "LONG": 1, "STEP_BYTES": 10},
}


@pytest.mark.parametrize("bounds", BOUNDS)
@pytest.mark.parametrize("letters", first(["ab", "abcdefgh"]))
@pytest.mark.parametrize("count", [100, pytest.param(5000, marks=slow)])
def test_paths_are_those_of_the_oracle(letters: str, bounds: str, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in BOUNDS[bounds].items():
        monkeypatch.setattr(cheapest_paths, name, value)
    check(random_pairs(random.Random(letters), letters, count, 14), COSTS)


@pytest.mark.parametrize("bounds", first(BOUNDS, 2))
@pytest.mark.parametrize(
    "costs", [(4, 3, 3, 2), (1, 1, 1, 0), (7, 3, 3, 2), (4, 0, 3, 1), (5, 3, 4, 1), (1000, 999, 601, 7)]
)
def test_paths_of_other_costs(costs: tuple[int, ...], bounds: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in BOUNDS[bounds].items():
        monkeypatch.setattr(cheapest_paths, name, value)
    named = dict(zip(COSTS, costs, strict=True))
    for optional in ("", "a"):
        check(random_pairs(random.Random(str(costs)), "abc", 60, 12), named, optional)


@slow
@pytest.mark.parametrize("errors", [0.02, 0.3, 0.9])
def test_the_path_of_a_long_text(errors: float) -> None:
    chance = random.Random(errors)
    left = [str(min(int(chance.paretovariate(0.7)), 5000)) for _ in range(2100)]
    right = [word if chance.random() > errors else str(chance.randrange(20)) for word in left]
    check([(left, right[:500] + right[600:] + right[:100])], COSTS)


def compound_blocks(
    texts: Sequence[Sequence[str]], groups: Sequence[Sequence[str | None]], costs: dict[str, int]
) -> list[tuple[int, int]]:
    """Sizes of the blocks of least cost, by recursion; of equal costs: a pair, a compound, insertion, deletion."""

    def joint(side: int, end: int, size: int, other: int) -> bool:
        words, joined = texts[side][end - size : end], set(groups[side][end - size : end])
        return size <= end and len(joined) == 1 and None not in joined and "".join(words) == texts[1 - side][other - 1]

    def steps(i: int, j: int) -> Iterator[tuple[int, tuple[int, int]]]:
        if i and j:
            yield 0 if texts[0][i - 1] == texts[1][j - 1] else costs["substitution_cost"], (1, 1)
            yield from ((0, (size, 1)) for size in range(2, i + 1) if joint(0, i, size, j))
            yield from ((0, (1, size)) for size in range(2, j + 1) if joint(1, j, size, i))
        if j:
            yield costs["insertion_cost"], (0, 1)
        if i:
            yield costs["deletion_cost"], (1, 0)

    @cache
    def least(i: int, j: int) -> int:
        return min((cost + least(i - left, j - right) for cost, (left, right) in steps(i, j)), default=0)

    i, j = map(len, texts)
    found = []
    while i or j:
        *_, (left, right) = min(steps(i, j), key=lambda step: step[0] + least(i - step[1][0], j - step[1][1]))
        found.append((left, right))
        i, j = i - left, j - right
    return found[::-1]


@pytest.mark.parametrize("bounds", ["usual", "few side by side", "in bands, in parts"])
@pytest.mark.parametrize("costs", [(4, 3, 3, 2), (4, 0, 3, 1)])
@pytest.mark.parametrize("count", [60, pytest.param(2000, marks=slow)])
def test_paths_with_compounds_are_those_of_the_definition(
    count: int, costs: tuple[int, ...], bounds: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in BOUNDS[bounds].items():
        monkeypatch.setattr(cheapest_paths, name, value)
    chance, named = random.Random(str(costs)), dict(zip(COSTS, costs, strict=True))
    pairs = []
    for vocabulary in chance.choices(("a b ab aba ba aab", "a aa aaa", "c ab abc"), k=count):
        left, right = (chance.choices(vocabulary.split(), k=chance.randrange(1, 9)) for _ in range(2))
        pairs.append((left, right))
    groups = [[chance.choices(["x", "y", None], [6, 1, 1], k=len(text)) for text in pair] for pair in pairs]
    rows = words(pairs)
    rows["compound"] = [each for pair in groups for text in pair for each in text]
    found = call("cheapest_edits", rows, 100, **named)
    by_group = steps(found)
    assert all(row["correct"] for row in found if max(row["left"], row["right"]) > 1)
    for number, pair in enumerate(pairs):
        assert by_group[number] == compound_blocks(pair, groups[number], named), (pair, groups[number])


def test_a_fragment_is_like_words_that_begin_or_end_with_all_of_it() -> None:
    pairs = [
        ("to-", "tomorrow"),
        ("-row", "tomorrow"),
        ("tow-", "tomorrow"),
        ("-mow", "tomorrow"),
        ("to-", "tom-"),
        ("tom-", "to-"),
    ]
    assert [alike(*pair) for pair in pairs] == [True, True, False, False, True, False]


def test_paths_with_fragments_are_those_of_the_oracle() -> None:
    chance = random.Random(1)
    parts = ["a", "b", "ab", "ba", "bab", "-"]
    texts = [["".join(chance.choices(parts, k=2)) for _ in range(chance.randrange(1, 9))] for _ in range(600)]
    pairs = list(zip(texts[::2], texts[1::2], strict=True))
    rows = words(pairs)
    rows["fragment"] = [text[0] == "-" or text[-1] == "-" for text in rows["text"]]
    found = call("cheapest_edits", rows, 40, **COSTS)
    correct = {number: [row["correct"] for row in found if row["group"] == number] for number in range(len(pairs))}
    by_group = steps(found)
    for number, (left, right) in enumerate(pairs):
        blocks = sclite_blocks(left, right, equal_with_fragments)
        assert by_group[number] == [(b - a, d - c) for a, b, c, d in blocks]
        assert correct[number] == [
            (a, c) < (b, d) and b > a and d > c and equal_with_fragments(left[a], right[c]) for a, b, c, d in blocks
        ]
    # Without the column, only equal words are correct.
    assert call("cheapest_edits", words([(["to-"], ["tom"])]), **COSTS)[0]["correct"] is False


@pytest.mark.parametrize("seed", first(range(4)))
def test_a_path_far_from_the_diagonal(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cheapest_paths, "LONG", 1)
    chance = random.Random(seed)
    pairs = []
    for _ in range(30):
        common, inside, new = ([chance.choice("abc") for _ in range(chance.randrange(60))] for _ in range(3))
        # What is put in before the common part and left out behind it leads away from the diagonal, and back.
        pairs.append((["x", *common, *inside], [*new, "x", *common]))
    check(pairs, COSTS)


@slow
def test_large_costs_decide_as_small_ones_do() -> None:
    chance = random.Random(1)
    pairs = [tuple("".join(chance.choices("abcd", k=700)) for _ in range(2)) for _ in range(3)]
    small = call("cheapest_edits", words(pairs), **COSTS)
    large = call("cheapest_edits", words(pairs), **{name: 20_000 * cost for name, cost in COSTS.items()})
    assert small == large


def test_words_that_cost_nothing_alone() -> None:
    costs = {**COSTS, "deletion_cost": 0, "insertion_cost": 0}
    left, right = ["x"] * 40 + ["a"], ["a"] + ["y"] * 40
    rows = call("cheapest_edits", words([(left, right)]), **costs)
    assert [(row["left"], row["right"]) for row in rows] == [(1, 0)] * 40 + [(1, 1)] + [(0, 1)] * 40


def test_a_word_that_may_be_left_out_is_correct_then() -> None:
    rows = call("cheapest_edits", words([("xay", "ay"), ("a", "xa"), ("ab", "x")], optional="x"), **COSTS)
    assert [(row["left"], row["right"], row["correct"]) for row in rows if row["group"] == 0] == [
        (1, 0, True),
        (1, 1, True),
        (1, 1, True),
    ]
    assert [row["correct"] for row in rows if row["group"] == 1] == [True, True]
    assert [row["correct"] for row in rows if row["group"] == 2] == [False, False]


def test_texts_that_are_too_long_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cheapest_paths._Bits, "most_cells", 7)
    assert call("cheapest_edits", words([("ab", "ab")]), **COSTS)
    with pytest.raises(RunError, match="sequences of 2 and 3 are too long"):
        call("cheapest_edits", words([("ab", "abc")]), **COSTS)


@pytest.mark.parametrize("function", ["cheapest_edits", "phonetic_alignment", "longest_chain", "cheapest_branches"])
def test_a_missing_column_is_named(function: str) -> None:
    with pytest.raises(ValueError, match=f"the input of {function} has no column"):
        RELATION_FUNCTIONS[function].schema(pa.schema([("side", pa.int64())]))


def chain(pairs: list[tuple[int, int]], size: int) -> list[tuple[int, int]]:
    pairs = sorted(pairs, key=lambda pair: (pair[0], -pair[1]))
    rows = {"group": [0] * len(pairs), "left_place": [a for a, _ in pairs], "right_place": [b for _, b in pairs]}
    return [(row["left_place"], row["right_place"]) for row in call("longest_chain", rows, 3, anchor_words=size)]


def test_the_longest_chain_wins_and_its_runs_may_overlap() -> None:
    assert chain([(0, 9), (1, 2), (2, 3), (5, 1), (6, 6)], 1) == [(1, 2), (2, 3), (6, 6)]
    assert chain([(0, 0), (1, 1), (7, 4)], 3) == [(0, 0), (1, 1), (2, 2), (3, 3), (7, 4), (8, 5), (9, 6)]
    assert chain([(0, 0), (1, 2)], 3) == [(0, 0), (1, 1), (2, 2), (3, 4)]
    assert chain([(0, 0), (5, 1)], 3) == [(0, 0), (1, 1), (2, 2), (7, 3)]
    assert chain([(3, 1), (3, 2)], 1) == [(3, 1)]


def branches(left: str, right: str) -> dict[tuple[int, int], int]:
    rows: dict[str, list[Any]] = {each: [] for each in ("side", "text", "optional", "alternation", "branch")}
    for side, text in enumerate((left, right)):
        alternation, branch, inside = -1, -1, False
        for word in text.split():
            if word == "{":
                alternation, branch, inside = alternation + 1, 0, True
            elif word == "/":
                branch += 1
            elif word == "}":
                inside = False
            else:
                optional = word.startswith("(")
                said = None if word == "@" else word.strip("()")
                values = (side, said, optional, alternation if inside else -1, branch if inside else -1)
                for column, value in zip(rows.values(), values, strict=True):
                    column.append(value)
    rows = {"group": [0] * len(rows["side"]), **rows}
    rows["fragment"] = [text is not None and "-" in (text[0], text[-1]) for text in rows["text"]]
    rows["text"] = pa.array(rows["text"], pa.string())
    return {(row["side"], row["alternation"]): row["branch"] for row in call("cheapest_branches", rows, **COSTS)}


@pytest.mark.parametrize(
    ("left", "right", "chosen"),
    [
        ("{ a / b }", "b", {(0, 0): 1}),
        ("x { a / b c / @ } y", "x y", {(0, 0): 2}),
        ("x { a / b c / @ } y", "x b c y", {(0, 0): 1}),
        ("{ a / b }", "{ c / b }", {(0, 0): 1, (1, 0): 1}),
        ("{ um / @ } { a / b }", "b", {(0, 0): 1, (0, 1): 1}),
        ("{ a / b }", "c", {(0, 0): 0}),
        ("{ @ / @ }", "", {(0, 0): 0}),
        ("{ @ / a }", "{ @ / a }", {(0, 0): 1, (1, 0): 1}),
        ("{ b / @ }", "a", {(0, 0): 1}),
        ("{ @ / c a }", "c", {(0, 0): 1}),
        ("{ @ / b c }", "b { @ / @ }", {(0, 0): 1, (1, 0): 0}),
        ("{ a / (a) }", "", {(0, 0): 1}),
        ("{ x / a- }", "ab", {(0, 0): 1}),  # a- is a fragment, which equals ab
        ("a", "{ b / a } a", {(1, 0): 0}),  # of equal costs: a pair of the last words, and the first branch
        ("b a", "{ c c / a c } b", {(1, 0): 1}),  # of equal costs: an insertion before a deletion
        (f"{{ (a) / {'@ ' * 1999}}}", "", {(0, 0): 1}),  # an optional word costs 2, each @ a thousandth
    ],
)
def test_the_branch_that_costs_least_is_chosen(left: str, right: str, chosen: dict[tuple[int, int], int]) -> None:
    assert branches(left, right) == chosen


def cost_of(left: Sequence[str], right: Sequence[str]) -> int:
    """The cost of the path that the oracle finds."""
    return sum(
        {(1, 0): 3, (0, 1): 3, (1, 1): 0 if left[begin : begin + 1] == right[other : other + 1] else 4}[
            end - begin, other_end - other
        ]
        for begin, end, other, other_end in sclite_blocks(left, right)
    )


@pytest.mark.parametrize("seed", first(range(100), 20))
def test_the_chosen_branches_cost_as_little_as_the_cheapest_of_all_combinations(seed: int) -> None:
    chance = random.Random(seed)
    texts = []  # of each side: the branches of each place; a place without alternatives has one
    for _ in range(2):
        sizes = [chance.choice([1, 1, 2, 3]) for _ in range(chance.randrange(1, 7))]
        texts.append([[chance.choices("abc", k=chance.randrange(1, 3)) for _ in range(size)] for size in sizes])
    written = [" ".join(f"{{ {' / '.join(map(' '.join, each))} }}" for each in text) for text in texts]
    found = branches(*written)

    def cost(choices: Sequence[Sequence[int]]) -> int:
        return cost_of(*(
            [word for place, at in zip(text, chosen, strict=True) for word in place[at]]
            for text, chosen in zip(texts, choices, strict=True)
        ))  # fmt: skip

    ways = [product(*(range(len(place)) for place in text)) for text in texts]
    least = min(map(cost, product(*ways)))
    assert cost([[found[side, at] for at in range(len(text))] for side, text in enumerate(texts)]) == least


WEIGHTS: dict[str, Any] = {
    "phones": ("A=v x y", "E=v x", "I=v", "T=s x", "K=s"),
    "phone_cost": 0.55,
    "boundary_cost": 0.3,
    "least_cost": 0.15,
    "class_cost": 1.2,
    "word_cost": 0.3,
    "group_cost": 0.2,
    "block_words": 3,
}


EVEN = {
    "phone_cost": 0.5,
    "boundary_cost": 0.5,
    "least_cost": 0.0,
    "class_cost": 1.0,
    "word_cost": 0.5,
    "group_cost": 0.5,
}


@pytest.mark.parametrize(
    ("left", "right", "weights", "aligned"),
    [
        # I and E cost 1.0, because x is all that they have beside their class. TI with T and E alone cost 0.55 + 0.2 +
        # 0.85 = 1.6, TI with both 1.0 + 0.3 + 2 · 0.2 = 1.7.
        ("TI", "T E", {}, [(1, 1), (0, 1)]),
        # two pairs of boundaries cost nothing, so the text is cut after the first words
        ("A EE", "E I", {}, [(1, 1), (1, 1)]),
        # E alone costs 0.85, and with both words 1.05 or more
        ("E", "Q E", {}, [(0, 1), (1, 1)]),
        # Q has no features
        ("Q T", "T", {"boundary_cost": 1.0}, [(1, 0), (1, 1)]),
        # K with one I and the other alone cost 1.5 + 1.0, K with both 1.5 + 0.5 + 2 · 0.5 = 3.0
        (
            "K",
            "I I",
            {"phone_cost": 0.5, "least_cost": 0.0, "class_cost": 1.0, "word_cost": 0.5, "group_cost": 0.5},
            [(0, 1), (1, 1)],
        ),
        # a phone is never paired with a boundary, also if both alone cost more than 1
        ("E ET", "Q KI I", {"boundary_cost": 1.0}, [(0, 1), (1, 1), (1, 1)]),
        # of equally cheap parts, the last one is a pair of words, not a word alone
        ("E I", "K", EVEN, [(1, 0), (1, 1)]),
        # of equally cheap parts, the last ones have the fewest words: 1 and 2, not 2 and 2
        ("E A KA A", "K E E", EVEN | {"word_cost": 0.0}, [(1, 0), (1, 0), (1, 2), (1, 1)]),
        # 4 thousandths of phone_cost count: with 0.5, T is aligned with TI, and IK alone
        ("T KI", "IK TI T", EVEN | {"phone_cost": 0.504, "word_cost": 0.0}, [(1, 1), (1, 1), (0, 1)]),
        ("T KI", "IK TI T", EVEN | {"word_cost": 0.0}, [(0, 1), (1, 1), (1, 1)]),
    ],
)
def test_blocks_of_least_cost_by_sounds(
    left: str, right: str, weights: dict[str, float], aligned: list[tuple[int, int]]
) -> None:
    said = [(side, word) for side, text in enumerate((left, right)) for word in text.split()]
    rows: dict[str, list[Any]] = {
        "group": [0] * len(said),
        "side": [side for side, _ in said],
        "text": [word for _, word in said],
        "sounds": [" ".join(word) for _, word in said],
    }
    assert steps(call("phonetic_alignment", rows, **WEIGHTS | weights)) == {0: aligned}


def test_blocks_have_up_to_five_words() -> None:
    rows = {"group": [0] * 6, "side": [0] + [1] * 5, "text": list("abcdef"), "sounds": ["A E I A E", *"AEIAE"]}
    weights = WEIGHTS | {"word_cost": 0.0, "group_cost": 0.0}
    assert steps(call("phonetic_alignment", rows, **weights | {"block_words": 5})) == {0: [(1, 5)]}
    with pytest.raises(ValueError, match="takes 'block_words' between 1 and 5; it is 6"):
        call("phonetic_alignment", rows, **weights | {"block_words": 6})


@pytest.mark.parametrize(
    ("last", "first"),
    [
        ((1, 1), (1, 2)),
        ((2, 1), (2, 2)),
        ((2, 2), (1, 3)),
        ((2, 2), (3, 1)),
        ((1, 2), (2, 1)),
        ((1, 3), (3, 1)),
        ((3, 3), (1, 0)),
        ((3, 3), (0, 1)),
        ((1, 0), (0, 1)),
    ],
)
def test_of_equally_cheap_parts_the_last_has_the_fewest_words(last: tuple[int, int], first: tuple[int, int]) -> None:
    """Parts of two sizes are cheap, and can stand in either order.

    The side with more words decides, then the other side, then the left side. Words that stand alone come last.
    """
    height, width = (sum(sides) for sides in zip(last, first, strict=True))
    together = np.full((1, height, width, 3, 3), 100)
    alone = [np.full((1, length), 100) for length in (height, width)]
    for left, right in (last, first):
        if left and right:
            together[..., left - 1, right - 1] = 1
        else:
            alone[right][:] = 1
    _, _, left, right = phonetics._parts(np.array([0]), together, *alone).T
    assert [*zip(left, right, strict=True)] == [last, first]
