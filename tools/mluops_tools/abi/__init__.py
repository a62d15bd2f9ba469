"""Whether an installed mlu_op.h, or a libmluops.so, still says what the binding's tables say."""
