// Operations on the bits of integers, and the remainder.
#include "bang/binary.h"

namespace mlucpu {
namespace {

MLU_OPERATION2(band, a & b)
MLU_OPERATION2(bor, a | b)
MLU_OPERATION2(bxor, a ^ b)
MLU_OPERATION2(rem, b == 0 ? 0 : a % b)
MLU_OPERATION2(srl, (std::make_unsigned_t<W>)a >> b)
MLU_OPERATION2(sll, (std::make_unsigned_t<W>)a << b)

}  // namespace
}  // namespace mlucpu

BANG_BITS(MLU_DEFINE_BINARY)
