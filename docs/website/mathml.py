"""Formulas as MathML: browsers show it by themselves, without a script, a font or a server."""

from __future__ import annotations

import re

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator


def setup(app: Sphinx) -> None:
    """Add the renderer `mathml`."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))


_WORD = re.compile(
    r"\\(?:text|operatorname)\{[^{}]*\}|\\(?:begin|end)(?:\{[^{}]*\})+|\\[A-Za-z]+|(?P<word>[A-Za-z]{2,})"
)


def _mathml(node: nodes.math | nodes.math_block, **options: str) -> str:
    # In \text{…}, latex2mathml takes an underscore as it is, and would show the backslash before it.
    formula = node.astext().replace(r"\_", "_")
    # A word such as miss or MTWV is upright. Else it would look like a product of its letters.
    return convert(_WORD.sub(lambda found: rf"\text{{{found[0]}}}" if found["word"] else found[0], formula), **options)


def _inline(translator: HTML5Translator, node: nodes.math) -> None:
    translator.body.append(_mathml(node))
    raise nodes.SkipNode


def _block(translator: HTML5Translator, node: nodes.math_block) -> None:
    formula = _mathml(node, display="block")
    translator.body.append(f'<div class="math-block">{formula}</div>')
    raise nodes.SkipNode
