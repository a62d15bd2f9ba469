"""Execute one case on a back end: prepare it, call the library, and judge what came out.

It knows nothing of pytest, runs or stored data. `engine`, `artefacts`, `selftest` and commands import it.
"""
