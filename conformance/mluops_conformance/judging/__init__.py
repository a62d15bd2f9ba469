"""Judge one output: measures, thresholds and verdicts, as pure functions of arrays.

`artefacts`, `comparison`, `execution`, `language`, `operators`, `reports` and `results` may import it.
"""
