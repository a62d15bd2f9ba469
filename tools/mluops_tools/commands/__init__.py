"""The subcommands of `mluops-conformance` that live here, one a module."""
