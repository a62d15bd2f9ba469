// Intrinsics of the matrix unit: filters lie in WRAM, everything else in NRAM.
#pragma once

#include "bang/types.h"

// WRAM has 64 parts. Filter o is in part o % 64, at its row o / 64, whose rows are padded to 64 bytes.
#define BANG_DECLARE_CONVOLUTION(T, _)                                                                                \
  /* dst is out_height x out_width x out_channels, src height x width x channels, and a filter kernel_height x     */ \
  /* kernel_width x channels.                                                                                      */ \
  void __bang_conv(T *dst, const T *src, const T *filters, int channels, int height, int width, int kernel_height,    \
                   int kernel_width, int stride_x, int stride_y, int out_channels);                                   \
  /* dst[i][c] = weights[i] * filter c [0] * src[i][c] */                                                             \
  void __bang_expand_channel_mul(T *dst, const T *weights, const T *filters, const T *src, int count, int channels);  \
  /* The same, plus addend[i][c]. */                                                                                  \
  void __bang_expand_channel_mul_add(T *dst, const T *weights, const T *filters, const T *src, const T *addend,       \
                                     int count, int channels);
BANG_FLOATS(BANG_DECLARE_CONVOLUTION, )
