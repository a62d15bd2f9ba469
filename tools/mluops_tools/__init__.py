"""Tools around the harness: header checks, gtest files, mlu-ops on a CPU, planted faults, search, speed."""
