// Conversions, of vectors and of scalars. The ending says how they round: rd and dn down, up up, tz toward zero,
// oz away from zero, rn to nearest even, rm to nearest and a half away from zero; without one toward zero.
// To integers, NaN becomes 0 and what is too large the largest.
#pragma once

#include <limits.h>
#include <math.h>

#include <limits>
#include <type_traits>

#include "bang/types.h"
#include "runtime/access.h"

namespace mlucpu {

template <class T>
constexpr bool is_float_v = std::is_same<T, float>::value || std::is_same<T, double>::value ||
                            std::is_same<T, half>::value || std::is_same<T, bfloat16_t>::value;

// Convert a scalar as a device does, toward zero: what a cast to an integer in a kernel becomes.
template <class I, class T>
constexpr I to_integer(T value) {
  if constexpr (is_float_v<T> && std::is_integral<I>::value && !std::is_same<I, bool>::value) {
    const double wide = (double)(float)value, exact = std::is_same<T, double>::value ? (double)value : wide;
    if (exact != exact) return 0;
    if (exact >= (double)std::numeric_limits<I>::max()) return std::numeric_limits<I>::max();
    if (exact <= (double)std::numeric_limits<I>::lowest()) return std::numeric_limits<I>::lowest();
    return (I)exact;
  } else {
    return (I)value;
  }
}

}  // namespace mlucpu

#define BANG_ENDINGS(X, From, from, To, to)                                                                      \
  X(From, from, To, to, ) X(From, from, To, to, _rd) X(From, from, To, to, _dn) X(From, from, To, to, _up)       \
  X(From, from, To, to, _tz) X(From, from, To, to, _oz) X(From, from, To, to, _rn) X(From, from, To, to, _rm)
#define BANG_CONVERSIONS(X)                          \
  BANG_ENDINGS(X, float, float, int8_t, int8)        \
  BANG_ENDINGS(X, float, float, int16_t, int16)      \
  BANG_ENDINGS(X, float, float, int32_t, int32)      \
  BANG_ENDINGS(X, half, half, int8_t, int8)          \
  BANG_ENDINGS(X, half, half, int16_t, int16)        \
  BANG_ENDINGS(X, half, half, int32_t, int32)        \
  BANG_ENDINGS(X, int8_t, int8, float, float)        \
  BANG_ENDINGS(X, int16_t, int16, float, float)      \
  BANG_ENDINGS(X, int32_t, int32, float, float)      \
  BANG_ENDINGS(X, int8_t, int8, half, half)          \
  BANG_ENDINGS(X, int16_t, int16, half, half)        \
  BANG_ENDINGS(X, int32_t, int32, half, half)        \
  BANG_ENDINGS(X, int32_t, int32, int16_t, int16)    \
  BANG_ENDINGS(X, int32_t, int32, int8_t, int8)      \
  BANG_ENDINGS(X, int16_t, int16, int32_t, int32)    \
  BANG_ENDINGS(X, int8_t, int8, int32_t, int32)      \
  BANG_ENDINGS(X, float, float, half, half)          \
  BANG_ENDINGS(X, float, float, bfloat16_t, bfloat16)\
  BANG_ENDINGS(X, bfloat16_t, bfloat16, float, float)\
  BANG_ENDINGS(X, half, half, float, float)

// dst may be src, also where its elements are wider. The position of a fixed point is 0.
#define BANG_DECLARE_CONVERSION(From, from, To, to, ending) \
  void __bang_##from##2##to##ending(To *dst, const From *src, int64_t count, int position = 0);
BANG_CONVERSIONS(BANG_DECLARE_CONVERSION)

// With a fixed point at each end.
inline void __bang_int322int16(int16_t *dst, const int32_t *src, int64_t count, int dst_position, int src_position) {
  __bang_int322int16(dst, src, count, dst_position | src_position);
}

// Scalars.
inline int __float2int32(float value) { return mlucpu::to_integer<int>(value); }
inline int __float2int32_tz(float value) { return mlucpu::to_integer<int>(value); }
inline int __float2int32_rd(float value) { return mlucpu::to_integer<int>(floorf(value)); }
inline int __float2int32_dn(float value) { return mlucpu::to_integer<int>(floorf(value)); }
inline int __float2int32_up(float value) { return mlucpu::to_integer<int>(ceilf(value)); }
inline int __float2int32_rn(float value) { return mlucpu::to_integer<int>(nearbyintf(value)); }
inline int __half2int32(half value) { return mlucpu::to_integer<int>(value); }
inline int __half2int32_rd(half value) { return mlucpu::to_integer<int>(floorf((float)value)); }
inline int __half2int32_up(half value) { return mlucpu::to_integer<int>(ceilf((float)value)); }
inline half __float2half_rn(float value) { return (half)value; }
MLU_UNCHECKED inline half __float2half_tz(float value) {
  half nearest = (half)value;
  if (fabsf((float)nearest) <= fabsf(value) || nearest != nearest) return nearest;
  uint16_t bits;
  memcpy(&bits, &nearest, 2);
  bits--;  // the next one toward zero
  memcpy(&nearest, &bits, 2);
  return nearest;
}
inline float __half2float(half value) { return (float)value; }
