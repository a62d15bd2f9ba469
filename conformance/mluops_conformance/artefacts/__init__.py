"""The data of a case in a file: kept from a run, executed again, compared."""
