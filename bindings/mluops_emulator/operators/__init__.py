"""Host checks and kernels: one module a family of operators, found by lying here.

A module exports `ENTRY_POINTS: Dict[str, Callable[[Call], mluOpStatus_t]]`, by C function name.
"""
