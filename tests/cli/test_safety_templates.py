"""The templates of a document, and the files that it names, are someone else's code."""

from __future__ import annotations

import json
import os

import pytest
from command_line import RELATION, Result

from marks import some
from scorespec.errors import SpecError
from scorespec.plan.rendering.render import render


@pytest.mark.parametrize(
    "template",
    [
        "SELECT '{{ ''.__class__.__mro__ }}'",
        "{{ ''.__class__.__mro__[1].__subclasses__() }}",
        "{{ fragments.__init__.__globals__ }}",
        "{{ fragments|attr('__class__') }}",
        "{{ range.__globals__ }}",
        "{{ self.__init__ }}",
        "{{ '{0.__class__}'.format(fragments) }}",
        "{{ ''['__class__']['__mro__'] }}",
        "{% include '/etc/passwd' %}",
        "{% include '../../../../../../../../etc/passwd' %}",
        "{% import '/etc/passwd' as x %}",
        "{{ cycler }}",
        "{{ undefined }}",
        "{% if %}",
        "{{ 1/0 }}",
        "{{ 'a' * 99999999999999 }}",
        "{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}",
    ],
)
def test_template_is_boxed_in(attack, template):
    assert "template: " in attack(template) or "Parser Error" in attack(template)


TOO_MUCH = "template: it produces more than 10,000,000 characters"
DOUBLED = "{% set a = [1] %}" + "{% set a = [a, a] %}" * 60


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{{ '{:999999999}'.format(5) }}", "template: format() is not for templates"),
        ("{{ '{:999999999}'.format_map({}) }}", "template: format_map() is not for templates"),
        ("{{ '%999999999d' % 5 }}", "template: % on a text is not for templates"),
        ("{{ '%999999999d'|format(5) }}", "template: No filter named 'format'"),
        ("{{ 'a'|center(999999999) }}", "template: No filter named 'center'"),
        ("{{ 'a'|indent(999999999) }}", TOO_MUCH),
        ("{{ 1|round(999999999, 'floor') }}", "template: No filter named 'round'"),
        ("{{ 'a'.ljust(999999999) }}", "template: ljust() is not for templates"),
        ("{{ 'a'.join('b' * 1000000) }}", "template: join() is not for templates"),
        ("{{ (5).to_bytes(999999999, 'big') }}", "template: to_bytes() is not for templates"),
        ("{% for a in [1] recursive %}{{ loop([1, 2]) }}{% endfor %}", "template: this() is not for templates"),
        ("{{ 10 ** 999999999 }}", "template: it computes a number that is too large"),
        ("{% set a = 9 %}" + "{% set a = a * a %}" * 40, "template: it computes a number that is too large"),
        ("{{ 'a' * 999999999 }}", TOO_MUCH),
        ("{{ 999999999 * [1] }}", TOO_MUCH),
        ("{% set a = 'aaaaaaaaaa' %}" + "{% set a = a ~ a %}" * 40, TOO_MUCH),
        ("{% set a = 'aaaaaaaaaa' %}" + "{% set a = a + a %}" * 40, TOO_MUCH),
        ("{% set a = 'aaaaaaaaaa' %}" + "{% set a %}{{ a }}{{ a }}{% endset %}" * 40, TOO_MUCH),
        ("{% macro a(x) %}{{ x }}{{ x }}{% endmacro %}{{ " + "a(" * 40 + "'aaaaaaaaaa'" + ")" * 40 + " }}", TOO_MUCH),
        ("{% set s = 'a' * 9000 %}{% for a in s %}{% for a in s %}a{% endfor %}{% endfor %}", TOO_MUCH),
        ("{% macro m(s) %}{% for a in s %}{% for a in s %}{% endfor %}{% endfor %}{% endmacro %}"
         "{{ m('a' * 9000) }}", TOO_MUCH),
        ("{{ ('a' * 1000000)|replace('a', 'b' * 1000000) }}", TOO_MUCH),
        ("{{ ('a' * 1000000)|list|map('replace', 'a', 'b' * 1000000)|join }}", TOO_MUCH),
        ("{{ ('a' * 1000000)|join('b' * 1000000) }}", TOO_MUCH),
        ("{% set a = 'a' * 100000 %}{{ [a] * 10000 }}", TOO_MUCH),
        ("{% set a = 'a' * 100000 %}{{ ([a] * 10000) ~ '' }}", TOO_MUCH),
        ("{% set a = 'a' * 100000 %}{{ ([a] * 10000)|upper }}", TOO_MUCH),
        (DOUBLED + "{{ a }}", TOO_MUCH),
        (DOUBLED + "{{ {'a': a}.items()|string }}", TOO_MUCH),
        ("{% set a = 'a' * 1000000 %}" + "{% set b = a|upper %}" * 100, TOO_MUCH),
        ("{{ '\\ud800' }}", "template: 'utf-8' codec can't encode character '\\ud800'"),
    ],
)  # fmt: skip
def test_a_template_makes_no_more_than_sql(template, said):
    with pytest.raises(SpecError) as caught:
        render(template, {}, "own.yaml")
    assert str(caught.value).startswith(f"own.yaml: {said}")


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{{ ['a', 'b']|join(', ') }}{{ 'a' ~ 1 ~ none }}", "a, ba1None"),
        ("{% for a in 'abc' %}{{ loop.index }}/{{ loop.length }}{{ ' ' if not loop.last }}{% endfor %}", "1/3 2/3 3/3"),
        ("{% for a in [] %}{% else %}none{% endfor %}", "none"),
        ("{% for a in 'ab' %}{{ loop.cycle('x', 'y') }}{% endfor %}", "xy"),
        ("{% for k, v in {'a': 1}.items() if v %}{{ k }}{{ v }}{% endfor %}", "a1"),
        ("{{ 'a b'.split()|map('upper')|list }}{{ ' a '|trim }}{{ 'ab'|replace('a', 'b') }}", "['A', 'B']abb"),
        ("{{ 3 * 4 }} {{ 2 ** 10 }} {{ 7 % 3 }} {{ 1.5 * 2 }} {{ [1] + [2] }}", "12 1024 1 3.0 [1, 2]"),
        ("{% set x = x if x is defined else 'none' %}{{ x|default('y') }}{{ y|default('y') }}", "noney"),
    ],
)  # fmt: skip
def test_what_sql_is_put_together_with(template, text):
    assert render(template, {}, "own.yaml") == text


# -- files -----------------------------------------------------------------------------------------


@pytest.fixture
def commands(cli, write):
    """Every command that reads documents, with one whose relation is the SQL of a file."""

    def run(sql: str, name: str = "mine/evil.yaml") -> list[Result]:
        suite = "suites:\n  attacked: {about: x, inputs: [fragments], metrics: [evil]}\n"
        write(name, RELATION.format(sql=json.dumps(sql)) + suite)
        given = "fragments=alpha.class"
        return [
            cli("score", "attacked", given, "--specs", name),
            cli("explain", "attacked", "evil", given, "--specs", name),
            cli("compile", "attacked", "--specs", name),
            cli("show", "evil", "--specs", name),
            cli("check", name),
        ]

    return run


@pytest.mark.parametrize(
    "sql", ["{folder}/secret.sql", "../secret.sql", "below/../../secret.sql", "link.sql", "linked/secret.sql"]
)
def test_a_file_outside_the_folder_of_a_document_is_not_read(commands, folder, sql):
    (folder / "secret.sql").write_text("SELECT 'geheim' AS geheim {{ geheim }}")
    (folder / "mine" / "below").mkdir(parents=True)
    (folder / "mine" / "link.sql").symlink_to(folder / "secret.sql")
    (folder / "mine" / "linked").symlink_to(folder)
    sql = sql.format(folder=folder)
    for result in commands(sql):
        result.refused(
            f"mine/evil.yaml:6:10: no SQL file {sql!r} beside this document or below it, nor among those shipped"
        )


def test_a_file_below_the_folder_of_a_document_is_read(commands, folder):
    (folder / "mine" / "below").mkdir(parents=True)
    (folder / "mine" / "one.sql").write_text("SELECT * FROM {{ fragments }}")
    (folder / "mine" / "below" / "two.sql").symlink_to(folder / "mine" / "one.sql")
    for sql in ("one.sql", "below/two.sql"):
        for result in some(commands(sql)):
            assert result.code == 0, result.err


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("latin.sql", "cannot read the SQL file 'latin.sql': it is not UTF-8 text"),
        ("circle.sql", "no SQL file 'circle.sql' beside"),
        ("pipe.sql", "no SQL file 'pipe.sql' beside"),
        ("folder.sql", "no SQL file 'folder.sql' beside"),
        ("a" * 300 + ".sql", "no SQL file 'aaa"),
        ("a\0.sql", "no SQL file 'a\\x00.sql' beside"),
    ],
)
def test_a_file_that_cannot_be_read(commands, folder, sql, said):
    (folder / "mine" / "folder.sql").mkdir(parents=True)
    (folder / "mine" / "latin.sql").write_bytes("SELECT 'é'".encode("latin-1"))
    (folder / "mine" / "circle.sql").symlink_to("circle.sql")
    os.mkfifo(folder / "mine" / "pipe.sql")
    for result in some(commands(sql)):
        result.refused_with(f"mine/evil.yaml:6:10: {said}")
        assert len(result.err.splitlines()) == 1


def test_an_import_reads_nothing_outside_the_folder_of_a_document(commands, folder):
    (folder / "mine").mkdir()
    (folder / "secret.sql").write_bytes(b"\xff geheim")  # reading it, be it for the signature, would be an error
    template = f"{{% import '{folder}/secret.sql' as x %}}SELECT * FROM {{{{ fragments }}}}"
    said = f"no template '{folder}/secret.sql' beside this document or below it, nor among those shipped"
    for result in commands(template):
        result.refused(f"mine/evil.yaml:6:10: template: {said} (line 1 of the template)")
