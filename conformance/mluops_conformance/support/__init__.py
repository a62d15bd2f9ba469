"""Helpers that know nothing about cases: files, output, numbers as text, command-line flags.

Every package may import it.
"""
