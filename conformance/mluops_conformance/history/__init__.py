"""Index stored runs, and show how a case went in each of them.

`commands` may import it.
"""
