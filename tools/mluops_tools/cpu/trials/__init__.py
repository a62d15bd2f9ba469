"""Small calls of mlu-ops' operators, whose outputs loops over NumPy arrays foretell.

`trial` says what one is; `elementwise`, `points`, `boxes`, `images` and `sampling` hold them by the kind of
data, and `run` tries the library of a build. Operators that the suites have cases for have none here.
"""
