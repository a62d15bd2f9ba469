// Functions of one element.
#include <math.h>

#include "bang/convert.h"
#include "bang/elementwise.h"
#include "bang/vectors.h"

namespace mlucpu {
namespace {

template <class W>
W absolute(W a) {
  if constexpr (std::is_same<W, float>::value) {
    return fabsf(a);
  } else {
    return a < 0 ? -a : a;
  }
}

#define MLU_OPERATION1(name, expression) \
  struct op1_##name {                    \
    template <class W>                   \
    static inline W of(W a) {            \
      return (W)(expression);            \
    }                                    \
  };
MLU_OPERATION1(not, a == 0)
MLU_OPERATION1(square, a * a)
MLU_OPERATION1(neg, -a)
MLU_OPERATION1(abs, absolute(a))
MLU_OPERATION1(active_abs, absolute(a))
MLU_OPERATION1(relu, a > 0 ? a : 0)
MLU_OPERATION1(bnot, ~a)
MLU_OPERATION1(recip, 1 / a)
MLU_OPERATION1(active_reciphp, 1 / a)
MLU_OPERATION1(sqrt, sqrtf(a))
MLU_OPERATION1(rsqrt, 1 / sqrtf(a))
MLU_OPERATION1(floor, floorf(a))
MLU_OPERATION1(ceil, ceilf(a))
MLU_OPERATION1(trunc, truncf(a))
MLU_OPERATION1(round, roundf(a))
MLU_OPERATION1(cos, cosf(a))
MLU_OPERATION1(sin, sinf(a))
MLU_OPERATION1(pow2, exp2f(a))
MLU_OPERATION1(log2, log2f(a))
MLU_OPERATION1(active_exphp, expf(a))
MLU_OPERATION1(active_exp, expf(a))
MLU_OPERATION1(active_sigmoid, 1 / (1 + expf(-a)))

template <class Op, class T>
void unary(T *dst, const T *a, int64_t count) {
  if (!computes()) return;
  demand_input(a, count);
  demand_output(dst, count);
  demand_apart(dst, (size_t)count * sizeof(T), a, (size_t)count * sizeof(T));
  map(dst, a, count, [](auto x) { return Op::of(x); });
}

}  // namespace
}  // namespace mlucpu

using namespace mlucpu;

#define MLU_DEFINE_UNARY(T, name) \
  void __bang_##name(T *dst, const T *a, int64_t count) { unary<op1_##name>(dst, a, count); }

BANG_UNARY_OF_NUMBERS(MLU_DEFINE_UNARY)
BANG_UNARY_OF_FLOATS(MLU_DEFINE_UNARY)
BANG_UNARY_OF_INTEGERS(MLU_DEFINE_UNARY)

void __cn_vector_sin_f32(int count, float *dst, const float *a) { __bang_sin(dst, a, count); }
void __cn_vector_cos_f32(int count, float *dst, const float *a) { __bang_cos(dst, a, count); }

void __cn_vector_hypot_f32(int count, float *dst, const float *a, const float *b) {
  if (!computes()) return;
  demand_input(a, count);
  demand_input(b, count);
  demand_output(dst, count);
  map(dst, a, b, count, [](float x, float y) { return hypotf(x, y); });
}

void __cn_vector_cast_f32_to_s32(int count, int32_t *dst, const float *a) { __bang_float2int32_tz(dst, a, count, 0); }
