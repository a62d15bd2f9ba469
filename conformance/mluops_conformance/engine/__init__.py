"""Plan a run once, let pytest execute its cases, and record each result.

`commands`, `selftest` and the module `plugin` may import it.
"""
