"""The kinds of metric. The module of a kind turns a metric into its steps, by the templates of ``sql/kinds/<kind>/``.

A short form has no module, unless its rows are not those of a relation.
"""
