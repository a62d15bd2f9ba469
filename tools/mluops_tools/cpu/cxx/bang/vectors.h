// What intrinsics are made of: checked operands, and loops that the compiler vectorizes.
#pragma once

#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#include <type_traits>

#include "bang/types.h"
#include "runtime/access.h"
#include "runtime/trap.h"

#ifdef __clang__
#define MLU_VECTOR_LOOP _Pragma("clang loop vectorize(assume_safety)")
#else
#define MLU_VECTOR_LOOP _Pragma("GCC ivdep")
#endif

namespace mlucpu {

// The type that arithmetic of T is done in before it is rounded to T once.
template <class T>
struct Wide {
  typedef T type;
};
template <>
struct Wide<half> {
  typedef float type;
};
template <>
struct Wide<bfloat16_t> {
  typedef float type;
};
template <class T>
using wide_t = typename Wide<T>::type;

// A memory core has no vector unit: what it is told to compute does not happen.
inline bool computes() { return !core->memory_core; }

inline void demand_count(int64_t count) {
  if (count < 0) trapf("takes a count of %lld", (long long)count);
}

template <class T>
void demand_input(const T *at, int64_t count, unsigned memories = kNram) {
  demand_count(count);
  check(at, (size_t)count * sizeof(T), memories, Access::read);
}

template <class T>
void demand_output(T *at, int64_t count, unsigned memories = kNram) {
  demand_count(count);
  check(at, (size_t)count * sizeof(T), memories, Access::write);
}

// End the kernel where two operands overlap without being the same.
inline void demand_apart(const void *dst, size_t dst_bytes, const void *source, size_t source_bytes) {
  const char *d = (const char *)dst, *s = (const char *)source;
  if (d != s && d < s + source_bytes && s < d + dst_bytes) {
    trapf("has a destination that overlaps a source: they are %lld bytes apart", (long long)(d - s));
  }
}

const int kBlock = 256;

inline void widen(const half *from, float *to, int count) {
  int i = 0;
#ifdef __F16C__
  for (; i + 8 <= count; i += 8) _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(from + i))));
#endif
  for (; i < count; i++) to[i] = (float)from[i];
}

inline void narrow(const float *from, half *to, int count) {
  int i = 0;
#ifdef __F16C__
  for (; i + 8 <= count; i += 8) _mm_storeu_si128((__m128i *)(to + i), _mm256_cvtps_ph(_mm256_loadu_ps(from + i), 0));
#endif
  for (; i < count; i++) to[i] = (half)from[i];
}

inline void widen(const bfloat16_t *from, float *to, int count) {
  for (int i = 0; i < count; i++) to[i] = from[i];
}

inline void narrow(const float *from, bfloat16_t *to, int count) {
  for (int i = 0; i < count; i++) to[i] = from[i];
}

// A block of a source in its wide type: the elements themselves, or a widened copy.
template <class T>
struct Input {
  float copy[kBlock];
  const float *load(const T *at, int count) {
    widen(at, copy, count);
    return copy;
  }
};
template <class T>
struct Plain {
  const T *load(const T *at, int) { return at; }
};
template <class T>
using input_t = std::conditional_t<std::is_same<wide_t<T>, T>::value, Plain<T>, Input<T>>;

// dst[i] = f(a[i], b[i]) in the wide type.
template <class T, class F>
void map(T *dst, const T *a, const T *b, int64_t count, F f) {
  if constexpr (std::is_same<wide_t<T>, T>::value) {
    MLU_VECTOR_LOOP
    for (int64_t i = 0; i < count; i++) dst[i] = f(a[i], b[i]);
  } else {
    input_t<T> left, right;
    float result[kBlock];
    for (int64_t at = 0; at < count; at += kBlock) {
      int part = (int)(count - at < kBlock ? count - at : kBlock);
      const float *x = left.load(a + at, part), *y = right.load(b + at, part);
      for (int i = 0; i < part; i++) result[i] = f(x[i], y[i]);
      narrow(result, dst + at, part);
    }
  }
}

// dst[i] = f(a[i]) in the wide type.
template <class T, class F>
void map(T *dst, const T *a, int64_t count, F f) {
  if constexpr (std::is_same<wide_t<T>, T>::value) {
    MLU_VECTOR_LOOP
    for (int64_t i = 0; i < count; i++) dst[i] = f(a[i]);
  } else {
    input_t<T> source;
    float result[kBlock];
    for (int64_t at = 0; at < count; at += kBlock) {
      int part = (int)(count - at < kBlock ? count - at : kBlock);
      const float *x = source.load(a + at, part);
      for (int i = 0; i < part; i++) result[i] = f(x[i]);
      narrow(result, dst + at, part);
    }
  }
}

}  // namespace mlucpu
