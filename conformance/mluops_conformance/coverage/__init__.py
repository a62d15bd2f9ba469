"""What a set of cases covers: statements of the documents, C functions, statuses, dtypes, layouts, values."""
