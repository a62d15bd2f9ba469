"""Compare two stored runs case by case: outcomes, accuracy and times, as pure functions.

`commands` and `history` may import it.
"""
