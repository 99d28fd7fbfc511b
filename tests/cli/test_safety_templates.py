"""The templates of a document, and the files that it names, are someone else's code."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    "template",
    [
        "SELECT '{{ ''.__class__.__mro__ }}'",
        "{{ ''.__class__.__mro__[1].__subclasses__() }}",
        "{{ fragments.__init__.__globals__ }}",
        "{{ fragments|attr('__class__') }}",
        "{{ shared.__globals__ }}",
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
        "{{ shared() }}",
        "{{ 'a' * 99999999999999 }}",
        "{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}",
    ],
)
def test_template_is_boxed_in(attack, template):
    assert "template: " in attack(template) or "Parser Error" in attack(template)
