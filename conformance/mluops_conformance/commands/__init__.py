"""The commands of `mluops-conformance`, one module each: their options, their output and their exit codes.

Only `cli` imports it.
"""
