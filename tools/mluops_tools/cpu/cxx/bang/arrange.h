// Intrinsics that arrange elements anew, look them up, or add them into device memory.
#pragma once

#include "bang/copy.h"
#include "bang/types.h"

#define BANG_DECLARE_ARRANGE(T, _)                                                                                \
  /* dst[j][i] = src[i][j] */                                                                                     \
  void __bang_transpose(T *dst, const T *src, int height, int width);                                             \
  /* Turn a plane clockwise. */                                                                                   \
  void __bang_rotate90(T *dst, const T *src, int height, int width);                                              \
  void __bang_rotate180(T *dst, const T *src, int height, int width);                                             \
  void __bang_rotate270(T *dst, const T *src, int height, int width);                                             \
  /* Reverse each row. */                                                                                         \
  void __bang_mirror(T *dst, const T *src, int height, int width);                                                \
  /* Zeros around a plane of points. */                                                                           \
  void __bang_pad(T *dst, const T *src, int channels, int height, int width, int top, int bottom, int left,       \
                  int right);                                                                                     \
  /* 0, 1, 2, ... */                                                                                              \
  void __bang_incseq(T *dst, int64_t count);                                                                      \
  /* dst[i] = table[index[i]] */                                                                                  \
  void __bang_lut(T *dst, const uint32_t *index, const T *table, int64_t count, int64_t table_count);             \
  void __bang_lut(T *dst, const uint16_t *index, const T *table, int64_t count, int64_t table_count);             \
  /* dst[i] OP= src[i] in GDRAM, as one access; one value for all in the second form. */                          \
  void __bang_atomic_reduce_add(T *dst, const T *src, int64_t count);                                             \
  /* In segments: (segments + 1) x (segments2 + 1) times `count`, the strides in bytes. */                         \
  void __bang_atomic_reduce_add(T *dst, const T *src, int64_t count, int64_t segments, int64_t segments2,          \
                                int64_t dst_stride, int64_t dst_stride2, int64_t src_stride, int64_t src_stride2); \
  void __bang_atomic_reduce_add(T *dst, T value, int64_t count);                                                  \
  void __bang_atomic_reduce_max(T *dst, const T *src, int64_t count);                                             \
  void __bang_atomic_reduce_min(T *dst, const T *src, int64_t count);                                             \
  /* The same for one element, whose old value lands in NRAM. */                                                  \
  void __bang_atomic_add(T *old, T *dst, T value);                                                                \
  void __bang_atomic_add(T *old, T *dst, const T *src, int64_t count);
BANG_NUMBERS(BANG_DECLARE_ARRANGE, )

// Repeat elements of `bytes`: counts[i] times element i, one after another, all in NRAM.
void __extension(void *dst, const void *src, const uint8_t *counts, int bytes, mluMemcpyDirection_t direction,
                 int count);

// Print from a task, with a format of printf.
void __bang_printf(const char *format, ...);
