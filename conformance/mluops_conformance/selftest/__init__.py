"""Plant faults into the emulator, and show which of them a suite finds.

`commands` may import it.
"""
