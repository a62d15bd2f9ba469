#include "bang/arrange.h"

#include <stdarg.h>
#include <stdio.h>

#include <algorithm>
#include <vector>

#include "bang/vectors.h"

namespace mlucpu {
namespace {

// Write element (i, j) of a plane to place(i, j).
template <class T, class F>
void rearrange(T *dst, const T *src, int height, int width, F place) {
  if (!computes()) return;
  if (height < 0 || width < 0) trapf("takes a plane of %d x %d", height, width);
  int64_t count = (int64_t)height * width;
  demand_input(src, count);
  demand_output(dst, count);
  demand_apart(dst, (size_t)count * sizeof(T), src, (size_t)count * sizeof(T));
  std::vector<T> copy;
  if (dst == src) {
    copy.assign(src, src + count);
    src = copy.data();
  }
  for (int i = 0; i < height; i++) {
    for (int j = 0; j < width; j++) dst[place(i, j)] = src[(int64_t)i * width + j];
  }
}

// Repeat each element as often as its count says.
void extend(char *dst, const char *src, const uint8_t *counts, int bytes, int count) {
  if (!computes()) return;
  if (bytes <= 0) trapf("takes elements of %d bytes", bytes);
  demand_input(counts, count);
  demand_input(src, (int64_t)bytes * count);
  int64_t total = 0;
  for (int i = 0; i < count; i++) total += counts[i];
  demand_output(dst, total * bytes);
  demand_apart(dst, total * bytes, src, (size_t)bytes * count);
  demand_apart(dst, total * bytes, counts, count);
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < counts[i]; k++, dst += bytes) memcpy(dst, src + (int64_t)i * bytes, bytes);
  }
}

template <class T>
void pad(T *dst, const T *src, int channels, int height, int width, int top, int bottom, int left, int right) {
  if (!computes()) return;
  int64_t row = (int64_t)(left + width + right) * channels;
  int64_t count = row * (top + height + bottom);
  demand_input(src, (int64_t)channels * height * width);
  demand_output(dst, count);
  std::vector<T> result(count, T(0));
  for (int y = 0; y < height; y++) {
    const T *from = src + (int64_t)y * width * channels;
    std::copy(from, from + (int64_t)width * channels, result.begin() + (top + y) * row + (int64_t)left * channels);
  }
  std::copy(result.begin(), result.end(), dst);
}

template <class T, class I>
void lut(T *dst, const I *index, const T *table, int64_t count, int64_t table_count) {
  if (!computes()) return;
  demand_input(index, count);
  demand_input(table, table_count);
  demand_output(dst, count);
  for (int64_t i = 0; i < count; i++) {
    I at = index[i];
    if (at < table_count) dst[i] = table[at];  // assumed: an index behind the table finds nothing
  }
}

template <class T, class F>
void atomically(T *dst, int64_t count, F value) {
  if (!computes()) return;
  demand_count(count);
  check(dst, (size_t)count * sizeof(T), kGdram, Access::atomic);
  for (int64_t i = 0; i < count; i++) dst[i] = (T)value(i, (wide_t<T>)dst[i]);
}

template <class T, class F>
void atomically(T *dst, const T *src, int64_t count, F combine) {
  if (!computes()) return;
  demand_input(src, count);
  atomically(dst, count, [&](int64_t i, auto old) { return combine(old, (wide_t<T>)src[i]); });
}

}  // namespace
}  // namespace mlucpu

using namespace mlucpu;

#define MLU_DEFINE_ARRANGE(T, _)                                                                                    \
  void __bang_transpose(T *dst, const T *src, int height, int width) {                                              \
    rearrange(dst, src, height, width, [=](int i, int j) { return (int64_t)j * height + i; });                      \
  }                                                                                                                 \
  void __bang_rotate90(T *dst, const T *src, int height, int width) {                                               \
    rearrange(dst, src, height, width, [=](int i, int j) { return (int64_t)j * height + height - 1 - i; });         \
  }                                                                                                                 \
  void __bang_rotate180(T *dst, const T *src, int height, int width) {                                              \
    rearrange(dst, src, height, width, [=](int i, int j) { return (int64_t)(height - i) * width - 1 - j; });        \
  }                                                                                                                 \
  void __bang_rotate270(T *dst, const T *src, int height, int width) {                                              \
    rearrange(dst, src, height, width, [=](int i, int j) { return (int64_t)(width - 1 - j) * height + i; });        \
  }                                                                                                                 \
  void __bang_mirror(T *dst, const T *src, int height, int width) {                                                 \
    rearrange(dst, src, height, width, [=](int i, int j) { return (int64_t)i * width + width - 1 - j; });           \
  }                                                                                                                 \
  void __bang_pad(T *dst, const T *src, int channels, int height, int width, int top, int bottom, int left,         \
                  int right) {                                                                                      \
    pad(dst, src, channels, height, width, top, bottom, left, right);                                               \
  }                                                                                                                 \
  void __bang_incseq(T *dst, int64_t count) {                                                                       \
    if (!computes()) return;                                                                                        \
    demand_output(dst, count);                                                                                      \
    for (int64_t i = 0; i < count; i++) dst[i] = (T)(wide_t<T>)i;                                                   \
  }                                                                                                                 \
  void __bang_lut(T *dst, const uint32_t *index, const T *table, int64_t count, int64_t table_count) {              \
    lut(dst, index, table, count, table_count);                                                                     \
  }                                                                                                                 \
  void __bang_lut(T *dst, const uint16_t *index, const T *table, int64_t count, int64_t table_count) {              \
    lut(dst, index, table, count, table_count);                                                                     \
  }                                                                                                                 \
  void __bang_atomic_reduce_add(T *dst, const T *src, int64_t count) {                                              \
    atomically(dst, src, count, [](auto old, auto x) { return old + x; });                                          \
  }                                                                                                                 \
  void __bang_atomic_reduce_add(T *dst, const T *src, int64_t count, int64_t segments, int64_t segments2,           \
                                int64_t dst_stride, int64_t dst_stride2, int64_t src_stride, int64_t src_stride2) { \
    Pieces to{dst_stride, segments, dst_stride2, segments2}, from{src_stride, segments, src_stride2, segments2};    \
    if (segments < 0 || segments2 < 0) trap("takes a number of segments below 0");                                  \
    for (int64_t i = 0; i < to.count(); i++) {                                                                      \
      __bang_atomic_reduce_add((T *)((char *)dst + to.offset(i)), (const T *)((const char *)src + from.offset(i)), count); \
    }                                                                                                               \
  }                                                                                                                 \
  void __bang_atomic_reduce_add(T *dst, T value, int64_t count) {                                                   \
    atomically(dst, count, [=](int64_t, auto old) { return old + (wide_t<T>)value; });                              \
  }                                                                                                                 \
  void __bang_atomic_reduce_max(T *dst, const T *src, int64_t count) {                                              \
    atomically(dst, src, count, [](auto old, auto x) { return x > old ? x : old; });                                \
  }                                                                                                                 \
  void __bang_atomic_reduce_min(T *dst, const T *src, int64_t count) {                                              \
    atomically(dst, src, count, [](auto old, auto x) { return x < old ? x : old; });                                \
  }                                                                                                                 \
  void __bang_atomic_add(T *old, T *dst, T value) {                                                                 \
    if (!computes()) return;                                                                                        \
    check(dst, sizeof(T), kGdram, Access::atomic);                                                                  \
    demand_output(old, 1);                                                                                          \
    *old = *dst;                                                                                                    \
    *dst = (T)((wide_t<T>)*dst + (wide_t<T>)value);                                                                 \
  }                                                                                                                 \
  void __bang_atomic_add(T *old, T *dst, const T *src, int64_t count) {                                             \
    if (!computes()) return;                                                                                        \
    demand_output(old, count);                                                                                      \
    check(dst, (size_t)count * sizeof(T), kGdram, Access::atomic);                                                  \
    std::copy(dst, dst + count, old);                                                                               \
    __bang_atomic_reduce_add(dst, src, count);                                                                      \
  }
BANG_NUMBERS(MLU_DEFINE_ARRANGE, )

void __bang_printf(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
}

void __extension(void *dst, const void *src, const uint8_t *counts, int bytes, mluMemcpyDirection_t direction,
                 int count) {
  if (direction != NRAM2NRAM) trap("is modelled within NRAM alone");
  extend((char *)dst, (const char *)src, counts, bytes, count);
}
