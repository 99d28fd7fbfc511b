"""SQL expressions as formulas in LaTeX, read from the syntax tree that DuckDB makes of them.

So the formula of a page is the one that is computed. An expression that has no ordinary notation stays a function with
its name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

import duckdb
import jinja2

Node = Mapping[str, Any]
_TREE = "SELECT json_serialize_sql(?, skip_null := true, skip_empty := true, skip_default := true)"
_UNDEFINED = r"\text{undefined}"
_WEAK, _SUM, _PRODUCT, _ATOM = range(4)  # how strongly an expression holds together


class Named(str):
    """The name of a parameter in a template, where its value is not written; `.value` is its default."""

    value: Any

    def __new__(cls, name: str, value: Any) -> Named:
        """The name, with the value beside it."""
        found = super().__new__(cls, f'"{name}"')
        found.value = value
        return found


def rendered(sql: str, parameters: Mapping[str, Any]) -> str:
    """SQL with its template filled: parameters stand under their names, conditions hold as by default."""
    context = {name: Named(name, value) for name, value in parameters.items()}
    return jinja2.Environment().from_string(sql).render(context)


def formula(sql: str) -> str:
    """An SQL expression in LaTeX."""
    return _text(_parsed(sql)["statements"][0]["node"]["select_list"][0])


def guarded(sql: str) -> tuple[str, str]:
    """An expression in LaTeX, and the SQL of the condition without which it is undefined; '' if there is none."""
    tree = _parsed(sql)
    node = tree["statements"][0]["node"]
    [expression] = node["select_list"]
    arguments = [each["expression"] for each in expression.get("arguments", ())]
    if expression.get("function_name") == "if" and _text(arguments[2]) == _UNDEFINED:
        node["select_list"] = [arguments[0]]
        [(condition,)] = duckdb.execute("SELECT json_deserialize_sql(?::JSON)", [json.dumps(tree)]).fetchall()
        return _text(arguments[1]), re.sub(r"^SELECT \((.*)\)$", r"\1", condition)
    return _text(expression), ""


def _parsed(sql: str) -> Any:
    [(text,)] = duckdb.execute(_TREE, [f"SELECT {sql}"]).fetchall()
    tree = json.loads(text)
    if tree["error"]:
        raise ValueError(f"{sql}: {tree['error_message']}")
    return tree


def name(text: str) -> str:
    """A name in LaTeX: a letter is a variable, anything longer a word or a Greek letter."""
    if text in ("beta", "lambda", "gamma", "delta"):
        return rf"\{text}"
    return text if len(text) == 1 else r"\text{" + text.replace("_", r"\_") + "}"


def _written(node: Node) -> tuple[str, int]:
    """An expression, and how strongly it holds together."""
    write = _CLASSES.get(node["class"])
    if write is None:
        raise ValueError(f"no notation for {node['class']} {node['type']}")
    return write(node)


def _inside(node: Node, strength: int) -> str:
    """An expression as a part of another, in parentheses when it holds together less strongly."""
    text, own = _written(node)
    return text if own >= strength else rf"\left({text}\right)"


def _text(node: Node) -> str:
    return _written(node)[0]


def _column(node: Node) -> tuple[str, int]:
    *above, last = node["column_names"]
    if above and last == "value":
        return name(".".join(above)), _ATOM
    return name(".".join([*above, last])), _ATOM


def _constant(node: Node) -> tuple[str, int]:
    literal = node.get("literal", {})
    if literal.get("kind") == "STRING" and literal["text"] in ("inf", "Infinity", "-inf", "-Infinity"):
        return (r"-\infty", _SUM) if literal["text"][0] == "-" else (r"\infty", _ATOM)
    if literal.get("kind") == "STRING":
        return r"\text{“" + literal["text"].replace("_", r"\_") + "”}", _ATOM
    if literal.get("kind") in ("INTEGER", "NUMERIC"):
        number = re.sub(r"e\+?0$", "", literal["text"])
        mantissa, e, exponent = number.partition("e")
        return (rf"{mantissa} \cdot 10^{{{exponent}}}", _PRODUCT) if e else (mantissa, _ATOM)
    return {"TRUE": r"\text{true}", "FALSE": r"\text{false}"}.get(literal.get("kind", ""), _UNDEFINED), _ATOM


_COMPARED = {
    "COMPARE_EQUAL": "=",
    "COMPARE_NOTEQUAL": r"\ne",
    "COMPARE_LESSTHAN": "<",
    "COMPARE_GREATERTHAN": ">",
    "COMPARE_LESSTHANOREQUALTO": r"\le",
    "COMPARE_GREATERTHANOREQUALTO": r"\ge",
    "COMPARE_DISTINCT_FROM": r"\ne",
    "COMPARE_NOT_DISTINCT_FROM": "=",
}


def _comparison(node: Node) -> tuple[str, int]:
    return f"{_inside(node['left'], _SUM)} {_COMPARED[node['type']]} {_inside(node['right'], _SUM)}", _WEAK


def _conjunction(node: Node) -> tuple[str, int]:
    word = " and " if node["type"] == "CONJUNCTION_AND" else " or "
    parts = [
        rf"\left({_text(each)}\right)" if each["class"] == "CONJUNCTION" else _text(each) for each in node["children"]
    ]
    return (r"\text{" + word + "}").join(parts), _WEAK


def _operator(node: Node) -> tuple[str, int]:
    first, *others = node["children"]
    match node["type"]:
        case "OPERATOR_NOT":
            return r"\text{not }" + _inside(first, _SUM), _WEAK
        case "OPERATOR_IS_NULL":
            return _inside(first, _SUM) + r"\text{ is undefined}", _WEAK
        case "OPERATOR_IS_NOT_NULL":
            return _inside(first, _SUM) + r"\text{ is defined}", _WEAK
        case "OPERATOR_COALESCE":
            if len(others) == 1 and _text(others[0]) == "0" and _is_sum(first):
                return _written(first)  # an empty sum is 0 in mathematics
            return _call("first defined of", node["children"])
        case "COMPARE_IN":
            return rf"{_text(first)} \in \left\{{{', '.join(map(_text, others))}\right\}}", _WEAK
    raise ValueError(f"no notation for {node['type']}")


def _is_sum(node: Node) -> bool:
    return node["class"] == "FUNCTION" and node["function_name"] in ("sum", "exact_sum")


def _case(node: Node) -> tuple[str, int]:
    return _cases(
        [(each["when_expr"], each["then_expr"]) for each in node["case_checks"]],
        node.get("else_expr"),
    )


def _cases(checks: list[tuple[Node, Node]], otherwise: Node | None) -> tuple[str, int]:
    lines = [rf"{_text(value)} & \text{{if }} {_text(condition)}" for condition, value in checks]
    last = _text(otherwise) if otherwise else _UNDEFINED
    rows = r" \\ ".join([*lines, rf"{last} & \text{{otherwise}}"])
    return rf"\begin{{cases}} {rows} \end{{cases}}", _ATOM


def _function(node: Node) -> tuple[str, int]:
    arguments = [each["expression"] for each in node.get("arguments", ())]
    write = _FUNCTIONS.get(node["function_name"])
    if write is None:
        return _call(node["function_name"], arguments)
    return write(node, arguments)


def _call(function: str, arguments: list[Node]) -> tuple[str, int]:
    return rf"{name(function)}\left({', '.join(map(_text, arguments))}\right)", _ATOM


def _sum(node: Node, arguments: list[Node]) -> tuple[str, int]:
    below = rf"_{{{_text(node['filter'])}}}" if "filter" in node else ""
    return rf"\sum{below} {_inside(arguments[0], _PRODUCT)}", _PRODUCT


def _count(node: Node, arguments: list[Node]) -> tuple[str, int]:
    """The number of rows for which conditions hold, or of distinct values."""
    conditions = [_text(node["filter"])] if "filter" in node else []
    if node["function_name"] == "count_if":
        conditions += [_text(arguments[0])]
    elif node.get("distinct"):
        counted = r"\text{distinct }" + _text(arguments[0])
        return _size(counted, conditions)
    elif arguments:
        conditions += [_inside(arguments[0], _SUM) + r"\text{ is defined}"]
    return _size(r"\text{rows}", conditions)


def _size(counted: str, conditions: list[str]) -> tuple[str, int]:
    held = r"\,:\," + r"\text{ and }".join(conditions) if conditions else ""
    return rf"\left|\left\{{{counted}{held}\right\}}\right|", _ATOM


def _infix(sign: str, strength: int) -> Callable[[Node, list[Node]], tuple[str, int]]:
    def write(node: Node, arguments: list[Node]) -> tuple[str, int]:
        if len(arguments) == 1:
            return f"{sign}{_inside(arguments[0], _PRODUCT)}", _SUM
        left, right = arguments
        tighter = strength + (sign == "-")
        return f"{_inside(left, strength)} {sign} {_inside(right, tighter)}", strength

    return write


def _fraction(node: Node, arguments: list[Node]) -> tuple[str, int]:
    return rf"\frac{{{_text(arguments[0])}}}{{{_text(arguments[1])}}}", _ATOM


def _fscore(node: Node, arguments: list[Node]) -> tuple[str, int]:
    p, r = (_inside(each, _PRODUCT) for each in arguments)
    return rf"\frac{{2 \cdot {p} \cdot {r}}}{{{p} + {r}}}", _ATOM


def _if(node: Node, arguments: list[Node]) -> tuple[str, int]:
    return _cases([(arguments[0], arguments[1])], arguments[2] if len(arguments) > 2 else None)


def _power(node: Node, arguments: list[Node]) -> tuple[str, int]:
    return f"{_inside(arguments[0], _ATOM)}^{{{_text(arguments[1])}}}", _PRODUCT


def _known(sign: str) -> Callable[[Node, list[Node]], tuple[str, int]]:
    def write(node: Node, arguments: list[Node]) -> tuple[str, int]:
        return rf"{sign}\left({', '.join(map(_text, arguments))}\right)", _ATOM

    return write


def _first(node: Node, arguments: list[Node]) -> tuple[str, int]:
    return _written(arguments[0])


_FUNCTIONS: Mapping[str, Callable[[Node, list[Node]], tuple[str, int]]] = {
    "+": _infix("+", _SUM),
    "-": _infix("-", _SUM),
    "*": _infix(r"\cdot", _PRODUCT),
    "/": _fraction,
    "ratio": _fraction,
    "fscore": _fscore,
    "sum": _sum,
    "exact_sum": _sum,
    "count": _count,
    "count_star": _count,
    "count_if": _count,
    "if": _if,
    "nullif": _first,  # a quotient by 0 is undefined in mathematics
    "least": _known(r"\min"),
    "greatest": _known(r"\max"),
    "max": _known(r"\max"),
    "min": _known(r"\min"),
    "log2": _known(r"\log_2"),
    "ln": _known(r"\ln"),
    "exp": _known(r"\exp"),
    "pow": _power,
    "power": _power,
    "^": _power,
    "**": _power,
    "row": _known(""),
}
_CLASSES: Mapping[str, Callable[[Node], tuple[str, int]]] = {
    "COLUMN_REF": _column,
    "CONSTANT": _constant,
    "COMPARISON": _comparison,
    "CONJUNCTION": _conjunction,
    "OPERATOR": _operator,
    "CASE": _case,
    "FUNCTION": _function,
    "CAST": lambda node: _written(node["child"]),
}
