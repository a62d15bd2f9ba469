"""The engine plans a run once, has pytest execute its cases, and records what becomes of each.

It imports `execution`, `artefacts`, `language` and `results`; commands, `selftest` and `plugin` import it.
"""
