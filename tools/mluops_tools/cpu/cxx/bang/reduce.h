// Intrinsics that make one value, or fewer values, of a vector in NRAM.
#pragma once

#include "bang/types.h"

// Windows of kernel_height x kernel_width over height x width points of `channels` elements, the channels innermost.
#define BANG_DECLARE_POOL(T, name)                                                                           \
  void __bang_##name(T *dst, const T *src, int channels, int height, int width, int kernel_height,           \
                     int kernel_width, int stride_x = 1, int stride_y = 1);
#define BANG_POOLS(X) BANG_FLOATS(X, sumpool) BANG_FLOATS(X, minpool) BANG_FLOATS(X, maxpool)
BANG_POOLS(BANG_DECLARE_POOL)

#define BANG_DECLARE_REDUCTIONS(T, _)                                                                          \
  T __bang_sum(const T *src, int64_t count);                                                                   \
  T __bang_max(const T *src, int64_t count);                                                                   \
  T __bang_min(const T *src, int64_t count);                                                                   \
  /* dst[0] is the largest or smallest element; behind it, 32 bits wide, is its index. */                      \
  void __bang_argmax(T *dst, const T *src, int64_t count);                                                     \
  void __bang_argmin(T *dst, const T *src, int64_t count);                                                     \
  /* The largest of a window that is the whole plane, and at `gap` bytes behind it its index in the window. */ \
  void __bang_maxpool_value_index(T *dst, const T *src, int channels, int height, int width, int kernel_height, \
                                  int kernel_width, int stride_x, int stride_y, int64_t gap);
BANG_FLOATS(BANG_DECLARE_REDUCTIONS, )

#define BANG_DECLARE_COUNTS(T, _)                                                          \
  uint32_t __bang_count(const T *src, int64_t count);                                      \
  uint32_t __bang_findfirst1(const T *src, int64_t count);                                 \
  uint32_t __bang_findlast1(const T *src, int64_t count);                                  \
  /* Keep src[i] where mask[i] is not 0, or where bit i of mask is 1; return how many. */  \
  uint32_t __bang_filter(T *dst, const T *src, const T *mask, int64_t count);              \
  uint32_t __bang_filter_bitindex(T *dst, const T *src, const void *mask, int64_t count);
BANG_NUMBERS(BANG_DECLARE_COUNTS, )

// Bit i of dst is a[i] OP b[i].
#define BANG_DECLARE_BITINDEX(T, name) void __bang_##name##_bitindex(void *dst, const T *a, const T *b, int64_t count);
#define BANG_BITINDEXES(X) \
  BANG_FLOATS(X, lt) BANG_FLOATS(X, le) BANG_FLOATS(X, gt) BANG_FLOATS(X, ge) BANG_FLOATS(X, eq) BANG_FLOATS(X, ne)
BANG_BITINDEXES(BANG_DECLARE_BITINDEX)
