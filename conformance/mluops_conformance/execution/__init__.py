"""Execute one case on a backend: prepare it, call the library, and judge its outputs.

`artefacts`, `commands`, `engine` and `selftest` may import it.
"""
