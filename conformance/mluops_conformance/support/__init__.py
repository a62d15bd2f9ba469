"""Helpers that know nothing of cases: files, output, numbers as text, command-line flags.

Every package may import them; they import no other package, save `errors`.
"""
