"""Store a run while it happens, and read it back even if the run was cut off.

`artefacts`, `commands`, `comparison`, `engine`, `execution`, `history`, `reports` and
`selftest` may import it.
"""
