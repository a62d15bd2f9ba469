// Comparisons: 1 or 0 in the type of the operands; a NaN is unequal to everything.
#include "bang/binary.h"

namespace mlucpu {
namespace {

MLU_OPERATION2(lt, a < b)
MLU_OPERATION2(le, a <= b)
MLU_OPERATION2(gt, a > b)
MLU_OPERATION2(ge, a >= b)
MLU_OPERATION2(eq, a == b)
MLU_OPERATION2(ne, a != b)

}  // namespace
}  // namespace mlucpu

BANG_COMPARISONS(MLU_DEFINE_BINARY)
