"""Count what a set of cases covers: requirements, C functions, statuses, dtypes, layouts and values.

`commands` may import it.
"""
