"""A search for cases that fail: random examples of an operator, drawn from its definition.

`draw` makes legal cases and `illegal` calls with wrong arguments, `pool` executes them in worker processes,
`campaign` groups what was found, `shrink` makes it small, `text` tells it. They import the case language, the
operators and the execution of `mluops_conformance`, and the checks of `mluops_emulator`.
"""
