// Arithmetic of two operands, the smaller and the larger of them.
#include "bang/binary.h"
#include "runtime/options.h"

namespace mlucpu {
namespace {

// 0/0 as 0 instead of NaN.
const bool zero_by_zero = model_is("zero_by_zero", "0");

MLU_OPERATION2(add, a + b)
MLU_OPERATION2(sub, a - b)
MLU_OPERATION2(mul, a * b)
MLU_OPERATION2(div, zero_by_zero && a == 0 && b == 0 ? 0 : a / b)
MLU_OPERATION2(minequal, is_nan(a) ? b : b < a ? b : a)
MLU_OPERATION2(maxequal, is_nan(a) ? b : b > a ? b : a)
MLU_OPERATION2(nan_minimum, is_nan(a) || a < b ? a : b)
MLU_OPERATION2(nan_maximum, is_nan(a) || a > b ? a : b)

}  // namespace
}  // namespace mlucpu

BANG_ARITHMETIC(MLU_DEFINE_BINARY)
