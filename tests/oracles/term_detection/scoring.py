"""The suites over occurrences: std2006, sws2012, sws2013 and openkws13."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

from . import entropy, twv
from .alignment import align
from .occurrences import detection_inside, duration, holding, nist_duration, occurrence_inside, segments
from .rows import Detection, Excerpt, Occurrence, Turn

COSTS = {
    "std2006": ("10", "1", "0.0001"),
    "sws2012": ("1", "1", None),  # Eq 17
    "sws2013": ("100", "1", "0.00015"),
    "openkws13": ("10", "1", "0.0001"),
}
NIST = "openkws13"


@dataclass
class Task:
    """What is scored: queries by id, where they are, and what a system says."""

    queries: list[str]
    audio: list[Excerpt]
    occurrences: list[Occurrence]
    detections: list[Detection]
    turns: list[Turn] = field(default_factory=list)
    lowest: float | None = None
    highest: float | None = None


Rows = dict[str, tuple[int, list[twv.Scored]]]  # query: its occurrences, its detections


@dataclass
class Result:
    """Trials per query, audio, and how many detections were left out or are outside."""

    trials: Fraction
    seconds: Fraction
    outside: int


def checked(task: Task) -> None:
    """Refusals that concern the rows themselves."""
    known = set(task.queries)
    if len(known) < len(task.queries):
        raise ValueError("a query is listed twice")
    for d in task.detections:
        if math.isnan(d.score):
            raise ValueError(f"a score of {d.query} is not a number")
        if d.query not in known:
            raise ValueError(f"unknown query {d.query}")
        if d.dur < 0:
            raise ValueError(f"a negative duration of {d.query}")


def admitted(task: Task, nist: bool, outside_audio: str) -> tuple[list[Detection], list[Occurrence], list[Detection]]:
    """With inside_audio=whole: what is inside the audio, and the detections outside that are false alarms."""
    inside = [d for d in task.detections if detection_inside(d, task.audio, nist)]
    occurrences = [o for o in task.occurrences if occurrence_inside(o, task.audio, nist)]
    outside = [d for d in task.detections if not detection_inside(d, task.audio, nist)]
    if outside_audio == "error" and (outside or len(occurrences) < len(task.occurrences)):
        raise ValueError(f"{len(outside)} detections outside the audio")
    return inside, occurrences, outside if outside_audio == "false_alarm" else []


Pair = tuple[Detection | None, Occurrence | None]  # one of them may be missing


def aligned(task: Task, **options: Any) -> list[Pair]:
    """With inside_audio=midpoint: all detections and all occurrences, aligned whatever the audio is (section 2.1)."""
    pairs, unfound = align(task.detections, task.occurrences, lowest=task.lowest, highest=task.highest, **options)
    return [*pairs, *((None, o) for o in unfound)]


def judged(pairs: list[Pair], audio: list[Excerpt]) -> tuple[list[Pair], list[Detection], list[Pair]]:
    """The pairs inside the audio, the unaligned detections outside, and the occurrences outside with their detections.

    A pair is where the midpoint of its occurrence is; a detection without an occurrence is where its own midpoint is.
    """
    inside = [pair for pair in pairs if holding(pair[1] or pair[0], audio)]
    outside = [pair for pair in pairs if not holding(pair[1] or pair[0], audio)]
    return inside, [d for d, o in outside if d and o is None], [(d, o) for d, o in outside if o]


def virtual(
    task: Task,
    suite: str,
    n_tps: Fraction,
    tolerance: Decimal,
    outside_audio: str,
    assignment: str | None,
    whole: bool | None = None,
) -> tuple[Result, Rows]:
    """Occurrences are trials, and n_tps more of them per second (section 2.2). ``whole`` is inside_audio=whole."""
    nist = suite == NIST
    nist_gain = nist if assignment is None else assignment == "nist"
    if nist if whole is None else whole:
        admitted_, occurrences, outside = admitted(task, nist, outside_audio)
        options: dict[str, Any] = {"tolerance": tolerance, "nist": nist, "nist_gain": nist_gain}
        found, _ = align(admitted_, occurrences, lowest=task.lowest, highest=task.highest, **options)
        lost = len(task.detections) - len(found)
    else:
        inside, alone, left_out = judged(aligned(task, tolerance=tolerance, nist_gain=nist_gain), task.audio)
        if alone and outside_audio == "error":
            raise ValueError(f"{len(alone)} detections outside the audio")
        found = [(d, o) for d, o in inside if d]
        occurrences = [o for _, o in inside if o]
        outside = alone if outside_audio == "false_alarm" else []
        lost = len(alone) + sum(d is not None for d, _ in left_out)
    pairs = [*found, *((d, None) for d in outside)]
    seconds = nist_duration(task.audio) if nist else duration(task.audio)
    # NIST: printf's %.0f, so a tie goes to the even number.
    trials = Fraction(round(seconds * n_tps)) if nist else n_tps * seconds
    rows = {
        q: (
            sum(o.query == q for o in occurrences),
            [twv.Scored(d.score, d.yes, o is not None) for d, o in pairs if d.query == q],
        )
        for q in task.queries
    }
    return Result(trials, seconds, lost), rows


def _first_cell(
    cells: Sequence[Turn], whole_documents: bool, doc: str, channel: str, twice: tuple[Decimal, Decimal]
) -> int | None:
    """The first trial that holds both times, given doubled."""
    for i, c in enumerate(cells):
        if whole_documents:
            if c.doc == doc:
                return i
        elif (c.doc, c.channel) == (doc, channel):
            begin, end = 2 * c.tbeg, 2 * (c.tbeg + c.dur)
            if begin <= min(twice) and max(twice) <= end:
                return i
    return None


def by_segment(task: Task, trials: str, outside_audio: str) -> tuple[Result, Rows]:
    """Segments or documents are trials (section 2.2.1): a target holds a whole occurrence.

    A detection belongs to the first segment that its midpoint is in, both ends included; the best one of each
    query and segment counts (OPEN: of equal scores, here YES before NO). OPEN: a
    document is a trial whatever its channels, and a detection in it whatever its time. With outside_audio=false_alarm
    each detection in no segment is not aligned.
    """
    if trials == "segment":
        cells = segments(task.turns, task.audio)
    else:
        cells = [Turn(doc, "", Decimal(0), Decimal(0)) for doc in dict.fromkeys(e.doc for e in task.audio)]

    cell_of = partial(_first_cell, cells, trials == "document")
    rows: Rows = {}
    lost = 0
    for q in task.queries:
        targets = {cell_of(o.doc, o.channel, (2 * o.tbeg, 2 * o.end)) for o in task.occurrences if o.query == q}
        kept: dict[int, twv.Scored] = {}
        outside: list[twv.Scored] = []
        for d in (d for d in task.detections if d.query == q):
            middle = 2 * d.tbeg + d.dur
            cell = cell_of(d.doc, d.channel, (middle, middle))
            if cell is None:
                lost += 1
                outside.append(twv.Scored(d.score, d.yes, False))
                continue
            here = twv.Scored(d.score, d.yes, cell in targets)
            if cell not in kept or (here.score, here.yes) > (kept[cell].score, kept[cell].yes):
                kept[cell] = here
        counted = outside if outside_audio == "false_alarm" else []
        rows[q] = (len(targets - {None}), list(kept.values()) + counted)
    return Result(Fraction(len(cells)), duration(task.audio), lost), rows


def score(
    suite: str,
    task: Task,
    *,
    c_miss: str | None = None,
    c_fa: str | None = None,
    p_target: str | None = None,
    n_tps: str = "1",
    tolerance: str = "0.5",
    trials: str = "virtual",
    pooled: bool = False,
    include_queries_without_targets: bool = False,
    outside_audio: str | None = None,
    score_set: str = "all",
    assignment: str | None = None,
    whole: bool | None = None,
    threshold: float | None = None,
    score_scale: float = 1,
    score_offset: float = 0,
) -> dict[str, Any]:
    """Every metric of a suite, by the names of its components; also `details` and `per_query`.

    `assignment` (document or nist), `outside_audio` (false_alarm, drop, error) and `whole` replace those of the suite.
    """
    checked(task)
    outside_audio = outside_audio or ("drop" if suite == NIST else "false_alarm")
    if trials == "virtual":
        result, rows = virtual(task, suite, Fraction(n_tps), Decimal(tolerance), outside_audio, assignment, whole)
    else:
        result, rows = by_segment(task, trials, outside_audio)
    n = result.trials
    every = [twv.Block(q, targets, n - targets, scored) for q, (targets, scored) in rows.items()]
    real = [b for b in every if b.targets]
    if any(b.nontargets <= 0 for b in every):
        raise ValueError("a query has no non-target trial")
    targets = sum(b.targets for b in real)
    default = COSTS[suite]
    prior = p_target or default[2] or Fraction(targets) / n
    if not 0 < Fraction(prior) < 1:
        raise ValueError("more occurrences than trials of one query")
    cost = twv.Cost.of(c_miss or default[0], c_fa or default[1], prior)
    averaged = every if include_queries_without_targets else real
    blocks = twv.pool(every, n) if pooled else averaged
    reject_all = suite != NIST
    points = twv.sweep(blocks, cost.beta, reject_all)
    act, top = twv.actual(blocks, cost.beta), twv.best(points)
    scored = cross_entropies(real, n, float(cost.p_tar), score_set, score_scale, score_offset)
    given = {} if threshold is None else {"twv": at_threshold(blocks, cost.beta, threshold)}
    return {
        **given,
        "atwv": {"value": act.value, "threshold": twv.actual_threshold(blocks, strict=False)[0]},
        "p_miss": {"value": act.p_miss},
        "p_fa": {"value": act.p_fa},
        "mtwv": {"value": top.value, "threshold": top.threshold, "p_miss": top.p_miss, "p_fa": top.p_fa},
        "counts": twv.counts(blocks),
        "upper_bound_twv": {"value": twv.upper_bound(blocks, cost.beta, reject_all)},
        "supremum_twv": {"value": twv.supremum(blocks)},
        "bayes_twv": {"value": twv.bayes(twv.calibrated(blocks, score_scale, score_offset), cost).value},
        "cost": twv.expected_cost(act, cost),
        "prior": twv.priors(cost, len(real), targets, n),
        **scored,
        "details": {
            "trials": n,
            "seconds": result.seconds,
            "outside": result.outside,
            "points": points,
            "spread": twv.spread(blocks, cost.beta),
        },
        "per_query": {
            b.name: twv.counts([b]) | dict(zip(("p_miss", "p_fa", "twv"), each(b, cost.beta), strict=True))
            for b in (blocks if pooled else every)
        },
    }


def each(block: twv.Block, beta: Fraction) -> tuple[Fraction | None, Fraction, Fraction | None]:
    """Miss rate, false alarm rate and TWV of one block."""
    hits = sum(d.target and d.yes for d in block.detections)
    p_miss, p_fa = twv.rates(block, hits, sum(d.yes and not d.target for d in block.detections))
    return p_miss, p_fa, None if p_miss is None else 1 - p_miss - beta * p_fa


def at_threshold(blocks: list[twv.Block], beta: Fraction, threshold: float) -> dict[str, Fraction]:
    """TWV with its rates if exactly the scores from a threshold on are accepted."""
    found = twv.point(blocks, beta, lambda d: d.score >= threshold)
    return {"value": found.value, "p_miss": found.p_miss, "p_fa": found.p_fa}


def missing(blocks: list[twv.Block], trials: Fraction) -> tuple[float, int, Fraction]:
    """The score of the trials that no system lists, and how many of them are targets and non-targets (4.2.4)."""
    scored = [d for b in blocks for d in b.detections]
    aligned = sum(d.target for d in scored)
    targets = sum(b.targets for b in blocks)
    fill = min((d.score for d in scored), default=0.0)
    return fill, targets - aligned, len(blocks) * trials - targets - (len(scored) - aligned)


def cross_entropies(
    blocks: list[twv.Block], trials: Fraction, p_tar: float, score_set: str, scale: float, offset: float
) -> dict[str, Any]:
    """Eqs 38-45 over the queries with occurrences; a value of None has no finite one.

    Only `cnxe` is that of the scores after a map: the minima are the same whatever the map, and are of the scores.
    """
    groups = [(d.score, float(d.target), float(not d.target)) for b in blocks for d in b.detections]
    fill, true, false = missing(blocks, trials)
    if score_set == "all":
        groups.append((fill, float(true), float(false)))
    mapped = [(entropy.mapped(score, scale, offset), *weights) for score, *weights in groups]
    value = None if false < 0 and score_set == "all" else entropy.cnxe(mapped, p_tar)
    if value is not None and math.isinf(value):
        value = None
    least = None if value is None else entropy.affine_minimum(groups, p_tar)
    return {
        "cnxe": {
            "value": value,
            "cross_entropy": None if value is None else value * entropy.prior_entropy(p_tar),
            "prior_entropy": entropy.prior_entropy(p_tar),
        },
        "min_cnxe": least._asdict() if least else {"value": None, "gamma": None, "delta": None, "note": ""},
        "calibration_loss": {"value": value - least.value if value is not None and least else None},
        "missing": {"fill": fill, "true": true, "false": false},
        "pav": {"value": None if value is None else entropy.pav_minimum(groups, p_tar)},
    }
