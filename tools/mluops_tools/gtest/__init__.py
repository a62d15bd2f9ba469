"""Cases of mlu-ops' own gtest, in and out."""
