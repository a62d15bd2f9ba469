"""The check of an installed mlu_op.h, or a libmluops.so, against the binding's tables."""
