"""Read case files and the files beside them: requirements, suites, known issues and competitors.

`artefacts`, `commands`, `coverage`, `engine`, `execution`, `reports` and `selftest` may import it.
"""
