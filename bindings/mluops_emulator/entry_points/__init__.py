"""The C functions that are no operators: CNRT, CNDrv, handles and descriptors.

A module exports `ENTRY_POINTS`: Python functions under their C names, called with the emulator and the C
arguments, pointers as addresses (None for NULL). They return None for success and raise `Refused` or `Misuse`
for anything else; functions without a status return their result.
"""
