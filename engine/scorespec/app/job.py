"""The job of a run: what a user asks for. Each option of a run is stated here, once.

The parameters of :class:`Job` are the arguments of the Python functions that score something. The :class:`Option` of a
parameter says how it is typed in a shell; ``cli/options.py`` makes options of commands out of them. This module does
without ``from __future__ import annotations``, so that these can be read without importing all types.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ForwardRef, get_args, get_origin

from scorespec.core.events import RunStarted
from scorespec.version import __version__

if TYPE_CHECKING:
    from scorespec.app.calibrate import ScoredRun
    from scorespec.app.runs import MetricScores, Run
    from scorespec.catalog.lookup import Catalog, Namespace
    from scorespec.catalog.model import Definition, Suite, Table
    from scorespec.run.progress import Listener
    from scorespec.run.runner import Prepared

Paths = str | Path | Iterable[str | Path]


@dataclass(frozen=True)
class MetricCall:
    """A metric with parameters of its own; made by :func:`scorespec.metric`. Its text is the metric string."""

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        from scorespec.plan.parameters import metric_text

        return metric_text(self.name, self.parameters)


if TYPE_CHECKING:
    Metric = str | MetricCall | MetricScores | Definition
    Metrics = Metric | Iterable[Metric]
    OtherRun = str | Path | tuple[str | Path, int | str] | Run


@dataclass(frozen=True)
class Option:
    """What an argument of a run means, and how it is typed as an option of commands.

    ``flags`` are the names of the option, if they are not the name of the argument. ``metavar`` is what the help calls
    a value of type ``typed``; without a type, the option is a flag or a text. ``default`` is that of the option, if it
    is not that of the argument. ``complete`` is the section of documents whose names complete a value.
    """

    about: str
    flags: tuple[str, ...] = ()
    metavar: str | None = None
    typed: Any = None
    default: Any = None
    least: int | None = None
    panel: str | None = None
    complete: str | None = None


def plain_type(annotation: Any) -> Any:
    """The type of an argument without its option."""
    plain = get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation
    return plain.__forward_arg__ if isinstance(plain, ForwardRef) else plain


class Argument(Option):
    """An option that is typed without its name."""


RESULTS, RUNNING = "Results database", "Progress and resources"  # headings of the help


class Job:
    """A run that a user asks for: the documents, what is asked of them (``request``), and the ``inputs`` by name.

    ``files`` are shared with jobs that differ in other things, because a pipe can be read only once. ``other`` is the
    run of ``from_run``. ``dividing`` says how the run is divided. ``reference_point`` is the name of the
    reference point that is scored; None for a submission. Inputs that are ``prepared`` are not read again. The job is
    number ``number`` of ``total``.
    """

    def __init__(
        self,
        suite: Annotated[str, Argument("the suite (`scorespec list suites` names them)", complete="suites")],
        *,
        inputs: Annotated[
            Mapping[str, Any] | None,
            Argument(
                "the inputs of the suite: paths, quoted patterns, folders, or -",
                metavar="NAME=PATH[::FORMAT]",
                typed=list[str],
            ),
        ] = None,
        metrics: Annotated[
            "Metrics",
            Option(
                'only this metric; also SUITE.METRIC, and with parameters: "token(edge_time=0.02)"; may be repeated',
                ("--metric",),
                "METRIC",
                list[str],
                complete="metrics",
            ),
        ] = (),
        by: Annotated[
            str | Sequence[str | Sequence[str]],
            Option("break scores down by this column; a,b: by combinations", (), "COLUMN", list[str]),
        ] = (),
        confidence: Annotated[
            float | str | None, Option("add confidence intervals of this level, such as 95", metavar="PERCENT")
        ] = None,
        params: Annotated[
            Mapping[str, Any] | None,
            Option("set a parameter; may be repeated", ("--param",), "NAME=VALUE", list[str]),
        ] = None,
        format: Annotated[
            str, Option("how scores are printed; `show SUITE` lists layouts", metavar="table|markdown|latex|json|csv|…")
        ] = "table",
        percent: Annotated[bool, Option("print rates as percent, in tables")] = False,
        from_run: Annotated[
            "OtherRun | None",
            Option("take parameters from the scores of a run (see `calibrate`)", ("--from",), "RESULTS:RUN"),
        ] = None,
        on_bad_row: Annotated[
            str,
            Option(
                "drop: leave out faulty rows of the submission, and list them",
                metavar="error|drop",
            ),
        ] = "error",
        with_reference_points: Annotated[bool, Option("add the scores of reference points, such as the gold")] = False,
        folds: Annotated[Any, Option("add the scores of each fold")] = False,
        confidence_groups: Annotated[
            int | str | None,
            Option(
                "number of jackknife groups, for intervals of scores that are not sums (default: 30)",
                metavar="NUMBER",
            ),
        ] = None,
        percentile: Annotated[bool, Option("with --confidence: add percentile intervals")] = False,
        blocks: Annotated[
            str | None,
            Option(
                "for intervals and `compare`: keep units with the same value of this column together",
                metavar="COLUMN",
            ),
        ] = None,
        specs: Annotated["Paths", Option("a document or folder of your own; may be repeated", typed=list[Path])] = (),
        plugins: Annotated[
            "Paths", Option("a Python module, or its path, with plugins", ("--plugin",), "MODULE", list[str])
        ] = (),
        output: Annotated[
            str | Path | None,
            Option("append the run to this results database", ("-o", "--output"), typed=Path, panel=RESULTS),
        ] = None,
        name: Annotated[
            str | None,
            Option("the name of the run (default: that of the submission)", metavar="SYSTEM", panel=RESULTS),
        ] = None,
        corpus: Annotated[str | None, Option("the name of the data", metavar="CORPUS", panel=RESULTS)] = None,
        meta: Annotated[
            Mapping[str, Any] | None,
            Option(
                "further facts about the run; may be repeated",
                metavar="KEY=VALUE|FILE.yaml",
                typed=list[str],
                panel=RESULTS,
            ),
        ] = None,
        keep_evidence: Annotated[
            bool, Option("results without tables of evidence", ("--no-evidence",), default=False, panel=RESULTS)
        ] = True,
        withhold: Annotated[
            str | Iterable[str],
            Option(
                "leave these out, so that others may have the results",
                metavar="evidence,units,counts",
                typed=list[str],
                panel=RESULTS,
            ),
        ] = (),
        schema: Annotated[
            str, Option("the schema of the tables in the results database", metavar="NAME", panel=RESULTS)
        ] = "main",
        progress: Annotated[
            "str | Listener",
            Option(
                "how progress is shown on standard error; auto: a bar on a terminal, otherwise lines",
                metavar="auto|bar|lines|json|none",
                default="auto",
                panel=RUNNING,
            ),
        ] = "none",
        memory_limit: Annotated[
            str | None, Option("the memory that DuckDB may use", metavar="2GB", panel=RUNNING)
        ] = None,
        threads: Annotated[
            int | None, Option("number of threads; small inputs take one", typed=int, least=1, panel=RUNNING)
        ] = None,
        temp_dir: Annotated[
            str | Path | None, Option("the folder for temporary files", metavar="DIR", typed=Path, panel=RUNNING)
        ] = None,
        profile: Annotated[bool, Option("print time, rows and spilled bytes of each step", panel=RUNNING)] = False,
        on: Annotated[
            str | None,
            Option(
                "with --each: score submissions at once; with --shared: score one in partitions",
                metavar="processes:N|dask://HOST:PORT|ray://HOST:PORT",
                panel=RUNNING,
            ),
        ] = None,
        shared: Annotated[
            str | Path | None,
            Option(
                "with --on: folder of all workers, for the sums of the partitions of a run",
                metavar="DIR",
                typed=Path,
                panel=RUNNING,
            ),
        ] = None,
        parts: Annotated[
            int | str | None,
            Option(
                "with --shared: number of partitions (default: two a worker)",
                typed=int,
                least=1,
                panel=RUNNING,
            ),
        ] = None,
        before_saving: "Callable[[Run], None] | None" = None,
        **more_inputs: Any,
    ) -> None:
        from scorespec.core.disclosure import read_disclosure
        from scorespec.parts import read_dividing
        from scorespec.plan.request import Request, read_confidence, read_groups
        from scorespec.run.inputs.files import Files
        from scorespec.run.limits import Limits

        if not isinstance(folds, bool):  # an input of this name
            more_inputs["folds"], folds = folds, False
        self.suite = suite
        self.inputs = {name: each for name, each in {**(inputs or {}), **more_inputs}.items() if each is not None}
        self.request = Request(
            params or {},
            _listed(metrics),
            breakdowns(by),
            evidence=keep_evidence,
            folds=folds,
            on_bad_row=on_bad_row,
            confidence=(level := read_confidence(confidence)),
            confidence_groups=read_groups(confidence_groups, level),
            percentile=percentile,
            blocks=",".join(*breakdowns([blocks])) if blocks else None,
            given=frozenset(self.inputs),
            curves=keep_evidence or output is not None,
            disclosure=read_disclosure(withhold),
        )
        self.limits, self.files = Limits(memory_limit, threads, temp_dir), Files(temp_dir)
        self.specs, self.plugins = listed_paths(specs), listed_paths(plugins)
        self.output, self.schema = None if output is None else Path(output), schema
        self.progress, self.profile, self.before_saving = progress, profile, before_saving
        self.other = other_run(from_run, schema)
        self.format, self.percent, self.with_reference_points = format, percent, with_reference_points
        self.name, self.corpus = name, corpus
        self.meta = plain_meta(meta or {})
        self.dividing = read_dividing(on, shared, parts)
        self.reference_point: str | None = None
        self.prepared: Prepared | None = None
        self.number = self.total = 1

    def but(self, **changes: Any) -> "Job":
        """The job with other values of some attributes."""
        changed = copy(self)
        for name, value in changes.items():
            assert hasattr(self, name), name
            setattr(changed, name, value)
        return changed

    def asking(self, **changes: Any) -> "Job":
        """The job with other values in its request."""
        return self.but(request=replace(self.request, **changes))

    def with_inputs(self, inputs: Mapping[str, Any]) -> "Job":
        """The job with other inputs."""
        return self.asking(given=frozenset(inputs)).but(inputs=inputs)

    def without(self, inputs: Collection[str]) -> "Job":
        """The job without some inputs."""
        return self.with_inputs({name: value for name, value in self.inputs.items() if name not in inputs})

    def suites(self) -> "list[Suite]":
        """The suite that is scored, and the others whose metrics it asks for."""
        from scorespec.plan.scored_suites import suites_of_run

        catalog = self.catalog()
        suite = catalog.suite(self.suite)
        return suites_of_run(catalog.of_suite(suite), suite, self.request.metrics)

    def with_lasting_inputs(self) -> "Job":
        """The job with each reader of Arrow batches read into a table, so that inputs can be read more than once."""
        import pyarrow as pa  # slow to load

        def lasting(value: Any) -> Any:
            return value.read_all() if isinstance(value, pa.RecordBatchReader) else value

        return self.with_inputs({name: with_each_part(value, lasting) for name, value in self.inputs.items()})

    @property
    def is_stored(self) -> bool:
        """Whether the run is written to a results database, of the user or of its own."""
        return self.output is not None or self.request.evidence

    @property
    def start(self) -> RunStarted:
        """The first event of the run."""
        return RunStarted(self.suite, self.reference_point, __version__, self.name, self.number, self.total)

    def catalog(self) -> "Catalog":
        """The documents and plugins that the run needs: those of its suite, and of others whose metrics it asks for."""
        from scorespec.catalog.lookup import load_catalog
        from scorespec.plan.request import split_suite

        others = [name for name, _ in map(split_suite, self.request.metrics) if name]
        others += [self.other.suite] if self.other and self.other.suite != self.suite else []
        return load_catalog(*self.specs, suite=self.suite, also=others, plugins=self.plugins)


# The options of a run in order, by the names of the arguments: the default of each, and what is said about it.
OPTIONS: dict[str, tuple[Any, Option]] = {
    name: (each.default, each.annotation.__metadata__[0])
    for name, each in signature(Job).parameters.items()
    if get_origin(each.annotation) is Annotated
}


def options_text() -> str:
    """The options as a list for a docstring. Those that the text of another names are called as in Python."""
    lines = []
    for name, (default, option) in OPTIONS.items():
        about = re.sub(r"--([a-z-]+)", lambda found: f"``{found[1].replace('-', '_')}``", option.about)
        about = about.replace("; may be repeated", "")
        lines.append(f"* ``{name}``: {'if false, ' if default is True else ''}{about}")
    return "\n".join(lines)


def describing_tables(names: "Namespace", inputs: Iterable[str]) -> "list[Table]":
    """The tables among some inputs that describe the rows of others."""
    return [table for name in inputs if (table := names.table(name)) and table.describes]


def with_each_part(value: Any, change: Callable[[Any], Any]) -> Any:
    """An input with ``change`` applied to each of its parts."""
    if isinstance(value, Mapping):
        return {name: change(each) for name, each in value.items()}
    return list(map(change, value)) if isinstance(value, list | tuple) else change(value)


def whole_plugin(plugin: str | Path) -> str:
    """A plugin as every process finds it: the path of a file from the root, or the name of a module."""
    return str(absolute(str(plugin))) if str(plugin).endswith(".py") else str(plugin)


def absolute(value: Any) -> str | None:
    """The path of an input from the root.

    None stands for an object, for standard input, and for a path that is not UTF-8, which JSON cannot hold.
    """
    from scorespec.run.inputs.files import STDIN, shown_path
    from scorespec.run.inputs.locations import read_location

    if not isinstance(value, str | Path):
        return None
    path = str(Path.cwd() / value)
    return None if read_location(str(value)).path == STDIN or shown_path(path) != path else path


def plain_meta(meta: Mapping[str, Any]) -> Mapping[str, Any]:
    """Metadata as the results have them: as JSON."""
    from scorespec.core.score_text import finite

    found: dict[str, Any] = json.loads(json.dumps(finite(meta), default=str))
    return found


def parts_of(value: Any) -> list[Any]:
    """The parts of an input: a list, a mapping, or a single part."""
    if isinstance(value, Mapping):
        return list(value.values())
    return list(value) if isinstance(value, list | tuple) else [value]


def listed_paths(given: Paths) -> list[str | Path]:
    """One path, or several, as a list."""
    return [given] if isinstance(given, str | Path) else list(given)


def _listed(metrics: "Metrics") -> list[str]:
    """Metrics as metric strings."""
    from scorespec.catalog.model import Definition

    several = metrics if isinstance(metrics, Iterable) and not isinstance(metrics, str) else [metrics]
    return [each.full_name if isinstance(each, Definition) else str(each) for each in several]


def breakdowns(by: str | Sequence[str | Sequence[str]]) -> list[tuple[str, ...]]:
    """The columns of each breakdown, which may be written with commas."""
    columns = [each.split(",") if isinstance(each, str) else each for each in ([by] if isinstance(by, str) else by)]
    return [tuple(dict.fromkeys(column.strip() for column in each)) for each in columns]


def other_run(run: "OtherRun | None", schema: str) -> "ScoredRun | None":
    """The run whose scores set parameters."""
    if run is None:
        return None
    from scorespec.app.calibrate import read_run, scored_run, split_run
    from scorespec.app.runs import Run

    if isinstance(run, Run):
        return scored_run("the other run", run.suite, run.parameters, run.table())
    path, number = split_run(str(run)) if isinstance(run, str | Path) else run
    return read_run(Path(path), number, schema)
