"""Published equations: as plain text, what their symbols are, and that the names in these exist."""

import pytest

import toy
from marks import some
from scorespec.catalog.lookup import load_catalog
from scorespec.check.documents_checked import Report, verify
from scorespec.core.equations import plain
from scorespec.errors import SpecError
from scorespec.show import show

DOCUMENT = """domain: toy
metrics:
  own:
    extends: accuracy
    about: Mine.
    equation: %s
    symbols: {%s}
"""


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\frac{a}{N_{all}} + c", "a / N_all + c"),
        (r"\frac{a - b}{N_{all}}", "(a − b) / N_all"),
        (r"\frac{1}{\frac{a}{b + c}}", "1 / (a / (b + c))"),
        (r"\frac{|A \cap B|}{f(a, b)}", "|A ∩ B| / f(a, b)"),
        (r"\max_\theta \left( 1 - \beta \cdot x_{i, j}^2 \right)", "max_θ (1 − β · x_(i, j)^2)"),
        (r"\sqrt{\overline{E}} = -\operatorname{logit}(\text{a b})", "√(mean(E)) = −logit(a b)"),
        (r"ORC\text{-}WER \in \lbrace a, \ldots, z \rbrace", "ORC-WER ∈ { a, …, z }"),
        (r"a\,b \unknown c", "ab unknown c"),
        (r"\frac{a}", r"frac{a}"),
    ],
)
def test_plain_text(latex, text):
    assert plain(latex) == text


def checked(folder, equation, symbols) -> Report:
    own = folder / "own.yaml"
    own.write_text(DOCUMENT % (equation, symbols), encoding="utf-8")
    return verify(own, specs=[toy.TOY / "toy.yaml"])


def test_show_has_the_equation_and_its_symbols():
    document = DOCUMENT.partition("\n")[2] % (r"A = \frac{C}{N}", "N: '`words` of all', C: correct")
    assert "  equation:\n    A = C / N\n      N  `words` of all\n      C  correct\n" in show(
        toy.catalog(document), "own"
    )


@pytest.mark.parametrize(
    ("equation", "symbols", "said"),
    [
        ("A = C", "C: of `wrds`", "own.yaml:7:18: unknown name 'wrds'; did you mean 'words'?"),
        ("A = C", "D: words", "own.yaml:7:18: the equation has no symbol 'D'"),
    ],
)
def test_check_refuses(tmp_path, equation, symbols, said):
    with pytest.raises(SpecError) as error:
        checked(tmp_path, equation, symbols)
    assert said in str(error.value)


def test_check_knows_statistics_components_relations_tables_and_metrics(tmp_path):
    assert checked(tmp_path, "A = C", "C: '`value`, `marks`, `answers`, `accuracy`'").metrics == 1


def shipped():
    catalog = load_catalog()
    metrics = map(catalog.definition, catalog.keys("metrics"))
    return [(metric, latex) for metric in metrics for latex in (*metric.equation, *metric.symbols)]


def test_every_equation_that_ships_is_readable():
    for metric, latex in some(shipped()):
        assert not {*r"\{}"} & {*plain(latex)}, f"{metric.full_name}: {latex}"


def test_every_equation_that_ships_is_mathml():
    convert = pytest.importorskip("latex2mathml.converter").convert
    for metric, latex in some(shipped()):
        assert "<merror" not in convert(latex), f"{metric.full_name}: {latex}"


def test_every_primary_metric_has_an_equation():
    catalog = load_catalog()
    for suite in some(map(catalog.suite, catalog.names("suites"))):
        for name in some({each.partition(".")[0] for each in suite.primary}):
            assert catalog.of_suite(suite).metric(name).equation, f"{suite.name}.{name}"
