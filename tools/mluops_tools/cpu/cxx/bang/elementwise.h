// Intrinsics that make one element of one or two, over vectors in NRAM.
//
//   __bang_OP(dst, a, b, count)              dst[i] = a[i] OP b[i]
//   __bang_OP_scalar(dst, a, value, count)   dst[i] = a[i] OP value
//   __bang_cycle_OP(dst, a, b, count, short) dst[i] = a[i] OP b[i % short]
//   __bang_OP(dst, a, count)                 dst[i] = OP(a[i])
//
// dst may be a source; a partial overlap is an error.
#pragma once

#include "bang/types.h"

#define BANG_DECLARE_BINARY(T, name)                                                                     \
  void __bang_##name(T *dst, const T *a, const T *b, int64_t count);                                    \
  void __bang_##name##_scalar(T *dst, const T *a, T value, int64_t count);                              \
  void __bang_cycle_##name(T *dst, const T *a, const T *b, int64_t count, int64_t short_count);
#define BANG_DECLARE_UNARY(T, name) void __bang_##name(T *dst, const T *a, int64_t count);
#define BANG_DECLARE_RENAMED(T, ours, theirs)                                                            \
  inline void __bang_##theirs(T *dst, const T *a, const T *b, int64_t count) { __bang_##ours(dst, a, b, count); } \
  inline void __bang_##theirs##_scalar(T *dst, const T *a, T value, int64_t count) { __bang_##ours##_scalar(dst, a, value, count); }

// Of all numbers: arithmetic, comparisons (1 or 0 in the same type), logic (of what is not 0; 1 or 0).
#define BANG_ARITHMETIC(X)    \
  BANG_NUMBERS(X, add)        \
  BANG_NUMBERS(X, sub)        \
  BANG_NUMBERS(X, mul)        \
  BANG_FLOATS(X, div)         \
  BANG_NUMBERS(X, minequal)   \
  BANG_NUMBERS(X, maxequal)   \
  BANG_FLOATS(X, nan_minimum) \
  BANG_FLOATS(X, nan_maximum)
#define BANG_COMPARISONS(X) \
  BANG_NUMBERS(X, lt)       \
  BANG_NUMBERS(X, le)       \
  BANG_NUMBERS(X, gt)       \
  BANG_NUMBERS(X, ge)       \
  BANG_NUMBERS(X, eq)       \
  BANG_NUMBERS(X, ne)
#define BANG_LOGIC(X)      \
  BANG_NUMBERS(X, and)     \
  BANG_NUMBERS(X, or)      \
  BANG_NUMBERS(X, xor)
#define BANG_BITS(X)       \
  BANG_INTEGERS(X, band)   \
  BANG_INTEGERS(X, bor)    \
  BANG_INTEGERS(X, bxor)   \
  BANG_INTEGERS(X, div)    \
  BANG_INTEGERS(X, rem)    \
  BANG_INTEGERS(X, srl)    \
  BANG_INTEGERS(X, sll)
#define BANG_UNARY_OF_NUMBERS(X) \
  BANG_NUMBERS(X, not)           \
  BANG_NUMBERS(X, square)        \
  BANG_NUMBERS(X, neg)           \
  BANG_NUMBERS(X, abs)           \
  BANG_NUMBERS(X, active_abs)    \
  BANG_NUMBERS(X, relu)
#define BANG_UNARY_OF_FLOATS(X)  \
  BANG_FLOATS(X, recip)          \
  BANG_FLOATS(X, active_reciphp) \
  BANG_FLOATS(X, sqrt)           \
  BANG_FLOATS(X, rsqrt)          \
  BANG_FLOATS(X, floor)          \
  BANG_FLOATS(X, ceil)           \
  BANG_FLOATS(X, trunc)          \
  BANG_FLOATS(X, round)          \
  BANG_FLOATS(X, cos)            \
  BANG_FLOATS(X, sin)            \
  BANG_FLOATS(X, pow2)           \
  BANG_FLOATS(X, log2)           \
  BANG_FLOATS(X, active_exphp)   \
  BANG_FLOATS(X, active_exp)     \
  BANG_FLOATS(X, active_sigmoid)
#define BANG_UNARY_OF_INTEGERS(X) BANG_INTEGERS(X, bnot)

BANG_ARITHMETIC(BANG_DECLARE_BINARY)
BANG_COMPARISONS(BANG_DECLARE_BINARY)
BANG_LOGIC(BANG_DECLARE_BINARY)
BANG_BITS(BANG_DECLARE_BINARY)
BANG_UNARY_OF_NUMBERS(BANG_DECLARE_UNARY)
BANG_UNARY_OF_FLOATS(BANG_DECLARE_UNARY)
BANG_UNARY_OF_INTEGERS(BANG_DECLARE_UNARY)

// Names of later releases for the same.
BANG_NUMBERS(BANG_DECLARE_RENAMED, maxequal, maximum)
BANG_NUMBERS(BANG_DECLARE_RENAMED, minequal, minimum)
BANG_NUMBERS(BANG_DECLARE_RENAMED, maxequal, maxeq)
BANG_NUMBERS(BANG_DECLARE_RENAMED, minequal, mineq)

// A division by a scalar has the name of the division by a vector.
#define BANG_DECLARE_DIVISION(T, _) \
  inline void __bang_div(T *dst, const T *a, T value, int64_t count) { __bang_div_scalar(dst, a, value, count); }
BANG_NUMBERS(BANG_DECLARE_DIVISION, )

// So has a shift by one number of bits.
#define BANG_DECLARE_SHIFTS(T, _)                                                                                        \
  inline void __bang_srl(T *dst, const T *a, int bits, int64_t count) { __bang_srl_scalar(dst, a, (T)bits, count); }     \
  inline void __bang_sll(T *dst, const T *a, int bits, int64_t count) { __bang_sll_scalar(dst, a, (T)bits, count); }
BANG_INTEGERS(BANG_DECLARE_SHIFTS, )

// The bits of floats.
#define BANG_DECLARE_BITS_OF_FLOATS(name)                                             \
  inline void __bang_##name(float *dst, const float *a, const float *b, int64_t count) { \
    __bang_##name((uint32_t *)dst, (const uint32_t *)a, (const uint32_t *)b, count);     \
  }
BANG_DECLARE_BITS_OF_FLOATS(band)
BANG_DECLARE_BITS_OF_FLOATS(bor)
BANG_DECLARE_BITS_OF_FLOATS(bxor)

// Vector functions of the mathematical library; the count comes first.
void __cn_vector_sin_f32(int count, float *dst, const float *a);
void __cn_vector_cos_f32(int count, float *dst, const float *a);
void __cn_vector_hypot_f32(int count, float *dst, const float *a, const float *b);
void __cn_vector_cast_f32_to_s32(int count, int32_t *dst, const float *a);
