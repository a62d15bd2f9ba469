"""Random cases of an operator, drawn from its definition, and what running them found.

`draw` makes cases, `campaign` runs them, `text` tells what was found. They import the case language,
the operators and the execution of `mluops_conformance`.
"""
