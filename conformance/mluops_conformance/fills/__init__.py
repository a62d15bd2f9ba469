"""Make the data of a tensor from a seed: generic fills, files, and the data of mlu-ops' gtest.

`execution`, `language` and `operators` may import it.
"""
