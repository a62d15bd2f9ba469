"""Whether a suite finds the faults that can be planted into the emulator."""
