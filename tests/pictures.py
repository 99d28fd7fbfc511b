"""Finds the texts of a picture, and whether one is cut or printed over another."""

from __future__ import annotations

import itertools
import re
from xml.etree import ElementTree

from scorespec.report.drawing.svg import Drawing, Paper, text_width

Box = tuple[str, float, float, float, float]


def boxes(drawing: Drawing, paper: Paper) -> list[Box]:
    """Each text of a picture with its left, upper, right and lower end. Texts beside guides are muted, and left out."""
    found: list[Box] = []

    def visit(element: ElementTree.Element, x: float, y: float) -> None:
        place = re.fullmatch(r"translate\(([-.\d]+) ([-.\d]+)\)", element.get("transform", ""))
        x, y = (x + float(place[1]), y + float(place[2])) if place else (x, y)
        if element.tag.endswith("text"):
            said, size = element.text or "", float(element.attrib["font-size"])
            width, height = text_width(said, size), size * 0.8
            left = (
                x
                + float(element.attrib["x"])
                - width * {"end": 1, "middle": 0.5}.get(element.get("text-anchor", ""), 0)
            )
            base = y + float(element.attrib["y"])
            turned = "rotate(-90" in element.get("transform", "")
            found.append(
                (said, left - height, base - width, left, base)
                if turned
                else (said, left, base - height, left + width, base)
            )
        for inner in element:
            visit(inner, x, y)

    picture = ElementTree.fromstring(str(drawing.svg))
    assert picture.attrib["viewBox"].startswith(f"0 0 {paper.width:g} ")
    visit(picture, 0, 0)
    return found


def is_clear(drawing: Drawing, paper: Paper) -> list[str]:
    """The texts of a picture, which all lie inside of it, each beside all others."""
    height = float(ElementTree.fromstring(str(drawing.svg)).attrib["viewBox"].split()[3])
    texts = boxes(drawing, paper)
    for said, left, top, right, bottom in texts:
        assert left >= -0.5, said
        assert top >= -0.5, said
        assert right <= paper.width + 0.5, said
        assert bottom <= height, said
    for (a, *one), (b, *other) in itertools.combinations(texts, 2):
        apart_across = one[2] <= other[0] + 0.5 or other[2] <= one[0] + 0.5
        assert apart_across or one[3] <= other[1] + 0.5 or other[3] <= one[1] + 0.5, (a, b)
    return [said for said, *_ in texts]
