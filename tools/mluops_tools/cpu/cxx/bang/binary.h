// How an intrinsic of two operands is made of an operation on two elements.
#pragma once

#include "bang/elementwise.h"
#include "bang/vectors.h"

namespace mlucpu {

template <class W>
bool is_nan(W value) {
  return value != value;
}

// An operation by name, on elements in their wide type.
#define MLU_OPERATION2(name, expression)       \
  struct op_##name {                           \
    template <class W>                         \
    static inline W of(W a, W b) {             \
      return (W)(expression);                  \
    }                                          \
  };

template <class Op, class T>
void binary(T *dst, const T *a, const T *b, int64_t count) {
  if (!computes()) return;
  demand_input(a, count);
  demand_input(b, count);
  demand_output(dst, count);
  size_t bytes = (size_t)count * sizeof(T);
  demand_apart(dst, bytes, a, bytes);
  demand_apart(dst, bytes, b, bytes);
  map(dst, a, b, count, [](auto x, auto y) { return Op::of(x, y); });
}

template <class Op, class T>
void with_scalar(T *dst, const T *a, T value, int64_t count) {
  if (!computes()) return;
  demand_input(a, count);
  demand_output(dst, count);
  demand_apart(dst, (size_t)count * sizeof(T), a, (size_t)count * sizeof(T));
  wide_t<T> y = value;
  map(dst, a, count, [y](auto x) { return Op::of(x, y); });
}

template <class Op, class T>
void cycle(T *dst, const T *a, const T *b, int64_t count, int64_t short_count) {
  if (!computes()) return;
  if (short_count <= 0 || count % short_count) {
    trapf("takes %lld elements and a short vector of %lld, which does not divide them", (long long)count,
          (long long)short_count);
  }
  demand_input(a, count);
  demand_input(b, short_count);
  demand_output(dst, count);
  demand_apart(dst, (size_t)count * sizeof(T), a, (size_t)count * sizeof(T));
  for (int64_t at = 0; at < count; at += short_count) {
    map(dst + at, a + at, b, short_count, [](auto x, auto y) { return Op::of(x, y); });
  }
}

}  // namespace mlucpu

#define MLU_DEFINE_BINARY(T, name)                                                                            \
  void __bang_##name(T *dst, const T *a, const T *b, int64_t count) { mlucpu::binary<mlucpu::op_##name>(dst, a, b, count); }  \
  void __bang_##name##_scalar(T *dst, const T *a, T value, int64_t count) {                                   \
    mlucpu::with_scalar<mlucpu::op_##name>(dst, a, value, count);                                                             \
  }                                                                                                           \
  void __bang_cycle_##name(T *dst, const T *a, const T *b, int64_t count, int64_t short_count) {              \
    mlucpu::cycle<mlucpu::op_##name>(dst, a, b, count, short_count);                                                          \
  }
