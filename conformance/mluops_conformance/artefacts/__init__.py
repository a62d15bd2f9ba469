"""Keep the data of a case in a file, execute it again, and compare two of them.

`commands`, `engine` and `history` may import it.
"""
