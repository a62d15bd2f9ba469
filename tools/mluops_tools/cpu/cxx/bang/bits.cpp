// Operations on the bits of integers, the quotient and the remainder.
#include "bang/binary.h"

namespace mlucpu {
namespace {

// Return a / b toward zero; 0 where b is 0. The least number by -1 is itself.
template <class W>
W quotient(W a, W b) {
  if (b == 0) return 0;
  if (std::is_signed<W>::value && b == (W)-1) return (W)(0 - (std::make_unsigned_t<W>)a);
  return a / b;
}

MLU_OPERATION2(band, a & b)
MLU_OPERATION2(bor, a | b)
MLU_OPERATION2(bxor, a ^ b)
MLU_OPERATION2(div, quotient(a, b))
MLU_OPERATION2(rem, b == 0 ? 0 : a - quotient(a, b) * b)
MLU_OPERATION2(srl, (std::make_unsigned_t<W>)a >> b)
MLU_OPERATION2(sll, (std::make_unsigned_t<W>)a << b)

}  // namespace
}  // namespace mlucpu

BANG_BITS(MLU_DEFINE_BINARY)
