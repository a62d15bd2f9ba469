"""Single faults planted into mlu-ops' own sources, and the cases that catch them.

`changes` finds the places of a text and the change of each, `trial` runs cases on a changed library in a
process of their own, `campaign` builds and tries one change after the other, and `store` keeps the results.
"""
