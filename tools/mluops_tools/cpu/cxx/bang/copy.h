// Copies between memories, and what waits for them.
#pragma once

#include "bang/types.h"

enum mluMemcpyDirection_t {
  GDRAM2NRAM,
  NRAM2GDRAM,
  GDRAM2GDRAM,
  GDRAM2SRAM,
  SRAM2GDRAM,
  GDRAM2WRAM,
  WRAM2GDRAM,
  NRAM2NRAM,
  NRAM2SRAM,
  SRAM2NRAM,
  NRAM2WRAM,
  WRAM2NRAM,
  SRAM2WRAM,
  WRAM2SRAM,
  SRAM2SRAM,
};

// Copy `bytes`, once or in segments: segments + 1 times, the strides in bytes. WRAM takes 1/64 of `bytes` into each of
// its 64 parts, but a segment whole.
void __memcpy(void *dst, const void *src, int64_t bytes, mluMemcpyDirection_t direction);
void __memcpy(void *dst, const void *src, int64_t bytes, mluMemcpyDirection_t direction, int64_t dst_stride,
              int64_t src_stride, int64_t segments);
// The same in two dimensions, each end with its own counts, whose products agree.
void __memcpy(void *dst, const void *src, int64_t bytes, mluMemcpyDirection_t direction, int64_t dst_stride,
              int64_t dst_segments, int64_t dst_stride2, int64_t dst_segments2, int64_t src_stride,
              int64_t src_segments, int64_t src_stride2, int64_t src_segments2);
// Copies that may happen at once, or as late as what waits for them.
void __memcpy_async(void *dst, const void *src, int64_t bytes, mluMemcpyDirection_t direction);
void __memcpy_async(void *dst, const void *src, int64_t bytes, mluMemcpyDirection_t direction, int64_t dst_stride,
                    int64_t src_stride, int64_t segments);
void __memcpy_async(void *dst, const void *src, int64_t bytes, mluMemcpyDirection_t direction, int64_t dst_stride,
                    int64_t dst_segments, int64_t dst_stride2, int64_t dst_segments2, int64_t src_stride,
                    int64_t src_segments, int64_t src_stride2, int64_t src_segments2);
void __bang_move(void *dst, const void *src, int64_t bytes);

// Copy `count` pieces of `bytes`: piece i from src + offsets[i] to dst + i * stride, and a scatter the other way.
// A piece whose bit in `mask` is 0 stays where it is.
#define BANG_DECLARE_GATHER(name)                                                                                  \
  void name(void *dst, const void *src, const uint32_t *offsets, uint32_t bytes, mluMemcpyDirection_t direction,   \
            int64_t stride, uint32_t count);                                                                       \
  void name(void *dst, const void *src, const uint32_t *offsets, const void *mask, uint32_t bytes,                 \
            mluMemcpyDirection_t direction, int64_t stride, uint32_t count);
BANG_DECLARE_GATHER(__gather)
BANG_DECLARE_GATHER(__gather_async)
BANG_DECLARE_GATHER(__scatter)
BANG_DECLARE_GATHER(__scatter_async)
void __bang_gather_async(void *dst, const void *src, const uint32_t *offsets, const void *mask, uint32_t bytes,
                         int64_t stride, uint32_t count);

// Fill memory with a value.
#define BANG_DECLARE_SET(T, _)                                        \
  void __memset_nram(T *dst, int64_t count, T value);                 \
  void __nramset(T *dst, int64_t count, T value);                     \
  void __nramset_async(T *dst, int64_t count, T value, int = 0, int = 0); \
  void __gdramset(T *dst, int64_t count, T value);                    \
  void __sramset(T *dst, int64_t count, T value);                     \
  void __bang_write_value(T *dst, int64_t count, T value);            \
  void __bang_write_zero(T *dst, int64_t count);
BANG_NUMBERS(BANG_DECLARE_SET, )
// Floats get the bits of an integer.
inline void __bang_write_value(float *dst, int64_t count, int value) { __bang_write_value((int32_t *)dst, count, value); }
inline void __memset_nram(bool *dst, int64_t count, bool value) { __memset_nram((uint8_t *)dst, count, (uint8_t)value); }

// Wait for copies: all, those from or to GDRAM, those between on-chip memories; computing needs no wait.
void __sync();
void __sync_io();
void __sync_move();
void __sync_compute();
void __sync_io_move_compute(bool = true, bool = true, bool = true, bool = true, bool = true, bool = true);

// Wait for the other cores as well.
void __sync_cluster();
void __sync_all();
void __sync_all_ipu();
void __sync_all_ipu_within_cluster();

bool __is_mpu();
bool __is_ipu();
bool __is_dram(const void *at);
bool __is_nram(const void *at);
bool __is_sram(const void *at);

// One element from or to a memory.
#define BANG_DECLARE_ELEMENT(T, _)         \
  T __load_gdram(const T *at);             \
  T __load_sram(const T *at);              \
  T __load_nram(const T *at);              \
  void __store_gdram(T *at, T value);      \
  void __store_sram(T *at, T value);       \
  void __store_nram(T *at, T value);
BANG_NUMBERS(BANG_DECLARE_ELEMENT, )
