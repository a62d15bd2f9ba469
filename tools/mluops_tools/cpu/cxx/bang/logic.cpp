// Logic: of what is not 0; 1 or 0 in the type of the operands.
#include "bang/binary.h"

namespace mlucpu {
namespace {

// Written as selections of 1 and 0, which compilers vectorize.
MLU_OPERATION2(and, a != 0 ? b != 0 ? 1 : 0 : 0)
MLU_OPERATION2(or, a != 0 ? 1 : b != 0 ? 1 : 0)
MLU_OPERATION2(xor, a != 0 ? b != 0 ? 0 : 1 : b != 0 ? 1 : 0)

}  // namespace
}  // namespace mlucpu

BANG_LOGIC(MLU_DEFINE_BINARY)
