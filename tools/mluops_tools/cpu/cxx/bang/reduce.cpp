#include "bang/reduce.h"

#include <math.h>

#include <algorithm>
#include <vector>

#include "bang/vectors.h"
#include "runtime/options.h"

namespace mlucpu {
namespace {

const bool last_of_equals = model_is("argmax", "last");     // of equal maxima the last one instead of the first
const bool nan_is_largest = model_is("argmax", "nan");      // a NaN is the maximum instead of never
const bool sums_in_float = model_is("sum", "float");        // halves are added in float and rounded once
const bool sums_backwards = model_is("sum", "backwards");   // the last element is added first


template <class T>
T sum(const T *src, int64_t count) {
  if (!computes()) return T(0);
  demand_input(src, count);
  wide_t<T> total = 0;
  for (int64_t k = 0; k < count; k++) {
    total += (wide_t<T>)src[sums_backwards ? count - 1 - k : k];
    if (!sums_in_float) total = (wide_t<T>)(T)total;
  }
  return (T)total;
}

// Whether `value` takes the place of the best so far.
template <class W>
bool wins(W value, W best, bool largest) {
  if (value != value) return nan_is_largest && best == best;
  if (best != best) return !nan_is_largest;
  if (value == best) return last_of_equals;
  return largest ? value > best : value < best;
}

// Return the largest or smallest value; NaN is passed over. The compiler vectorizes the lanes.
template <bool largest, class T>
wide_t<T> extreme_number(const T *src, int64_t count) {
  typedef wide_t<T> W;
  const int lanes = 8;
  W best[lanes];
  for (W &value : best) value = largest ? -INFINITY : INFINITY;
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    for (int k = 0; k < lanes; k++) {
      W value = src[i + k];
      best[k] = (largest ? value > best[k] : value < best[k]) ? value : best[k];
    }
  }
  for (; i < count; i++) {
    W value = src[i];
    best[0] = (largest ? value > best[0] : value < best[0]) ? value : best[0];
  }
  return largest ? *std::max_element(best, best + lanes) : *std::min_element(best, best + lanes);
}

// Return the index that `wins` leaves as the best where NaN never wins; 0 where all are NaN.
template <class T>
int64_t index_of_extreme(const T *src, int64_t count, bool largest) {
  wide_t<T> best = largest ? extreme_number<true>(src, count) : extreme_number<false>(src, count);
  for (int64_t k = 0; k < count; k++) {
    int64_t i = last_of_equals ? count - 1 - k : k;
    if ((wide_t<T>)src[i] == best) return i;
  }
  return 0;
}

template <class T>
int64_t extreme(const T *src, int64_t count, bool largest) {
  demand_input(src, count);
  if (count == 0) trap("takes no elements: the answer is undefined");
  if (!nan_is_largest) return index_of_extreme(src, count, largest);
  int64_t best = 0;
  for (int64_t i = 1; i < count; i++) {
    if (wins((wide_t<T>)src[i], (wide_t<T>)src[best], largest)) best = i;
  }
  return best;
}

template <class T>
T extreme_value(const T *src, int64_t count, bool largest) {
  return computes() ? src[extreme(src, count, largest)] : T(0);
}

template <class T>
void extreme_index(T *dst, const T *src, int64_t count, bool largest) {
  if (!computes()) return;
  uint32_t at = (uint32_t)extreme(src, count, largest);
  check(dst, sizeof(T) + 4, kNram, Access::write);
  dst[0] = src[at];
  memcpy(dst + 1, &at, 4);
}

// Windows of a pool, checked.
struct Windows {
  int channels, height, width, kernel_height, kernel_width, stride_x, stride_y;
  int rows() const { return (height - kernel_height) / stride_y + 1; }
  int columns() const { return (width - kernel_width) / stride_x + 1; }
  int64_t inputs() const { return (int64_t)channels * height * width; }
  int64_t outputs() const { return (int64_t)channels * rows() * columns(); }
  void demand() const {
    if (channels <= 0 || kernel_height <= 0 || kernel_width <= 0 || stride_x <= 0 || stride_y <= 0 ||
        kernel_height > height || kernel_width > width) {
      trapf("has windows of %d x %d on %d x %d points of %d channels, strides %d and %d", kernel_height, kernel_width,
            height, width, channels, stride_y, stride_x);
    }
  }
};

// Combine the points of each window, one after another, into `total`.
template <class T, class F>
void pool(T *dst, const T *src, const Windows &w, F combine) {
  if (!computes()) return;
  w.demand();
  demand_input(src, w.inputs());
  demand_output(dst, w.outputs());
  std::vector<T> total(w.channels);
  int points = w.kernel_height * w.kernel_width;
  for (int row = 0; row < w.rows(); row++) {
    for (int column = 0; column < w.columns(); column++) {
      for (int k = 0; k < points; k++) {
        int y = row * w.stride_y + k / w.kernel_width, x = column * w.stride_x + k % w.kernel_width;
        combine(total.data(), src + ((int64_t)y * w.width + x) * w.channels, k == 0);
      }
      std::copy(total.begin(), total.end(), dst + ((int64_t)row * w.columns() + column) * w.channels);
    }
  }
}

template <class T>
void sumpool(T *dst, const T *src, const Windows &w) {
  pool(dst, src, w, [&](T *total, const T *point, bool first) {
    if (first) std::fill(total, total + w.channels, T(0));
    map(total, total, point, w.channels, [](auto x, auto y) { return x + y; });
  });
}

template <class T>
void extreme_pool(T *dst, const T *src, const Windows &w, bool largest) {
  pool(dst, src, w, [&](T *best, const T *point, bool first) {
    if (first) {
      std::copy(point, point + w.channels, best);
    } else if (nan_is_largest || last_of_equals) {
      for (int c = 0; c < w.channels; c++) {
        if (wins((wide_t<T>)point[c], (wide_t<T>)best[c], largest)) best[c] = point[c];
      }
    } else if (largest) {
      map(best, best, point, w.channels, [](auto old, auto x) { return x > old || old != old ? x : old; });
    } else {
      map(best, best, point, w.channels, [](auto old, auto x) { return x < old || old != old ? x : old; });
    }
  });
}

template <class T>
void maxpool_value_index(T *dst, const T *src, const Windows &w, int64_t gap) {
  if (!computes()) return;
  w.demand();
  if (w.rows() != 1 || w.columns() != 1) trap("has more than one window, which is not modelled");
  uint32_t *index = (uint32_t *)((char *)dst + gap);
  demand_input(src, w.inputs());
  demand_output(dst, w.channels);
  demand_output(index, w.channels);
  std::vector<T> best(src, src + w.channels);
  std::vector<uint32_t> at(w.channels, 0);
  for (int k = 1; k < w.height * w.width; k++) {
    for (int c = 0; c < w.channels; c++) {
      T value = src[(int64_t)k * w.channels + c];
      if (wins((wide_t<T>)value, (wide_t<T>)best[c], true)) best[c] = value, at[c] = (uint32_t)k;
    }
  }
  std::copy(best.begin(), best.end(), dst);
  std::copy(at.begin(), at.end(), index);
}

template <class T>
bool is_set(T value) {
  return (wide_t<T>)value != 0;
}

template <class T>
uint32_t count_set(const T *src, int64_t count) {
  if (!computes()) return 0;
  demand_input(src, count);
  uint32_t found = 0;
  for (int64_t i = 0; i < count; i++) found += is_set(src[i]);
  return found;
}

// Return the index of the first or last element that is not 0; the largest number where there is none.
template <class T>
uint32_t find_set(const T *src, int64_t count, bool first) {
  if (!computes()) return UINT32_MAX;
  demand_input(src, count);
  for (int64_t k = 0; k < count; k++) {
    int64_t i = first ? k : count - 1 - k;
    if (is_set(src[i])) return (uint32_t)i;
  }
  return UINT32_MAX;
}

template <class T, class F>
uint32_t filter(T *dst, const T *src, int64_t count, F keeps) {
  demand_input(src, count);
  uint32_t kept = 0;
  std::vector<T> result;
  for (int64_t i = 0; i < count; i++) {
    if (keeps(i)) result.push_back(src[i]), kept++;
  }
  demand_output(dst, kept);
  std::copy(result.begin(), result.end(), dst);
  return kept;
}

template <class T, class F>
void bitindex(void *dst, const T *a, const T *b, int64_t count, F compare) {
  if (!computes()) return;
  if (count % 8) trapf("takes %lld elements, which do not fill bytes", (long long)count);
  demand_input(a, count);
  demand_input(b, count);
  demand_output((uint8_t *)dst, count / 8);
  for (int64_t i = 0; i < count; i += 8) {
    unsigned byte = 0;
    for (int k = 0; k < 8; k++) byte |= (unsigned)compare((wide_t<T>)a[i + k], (wide_t<T>)b[i + k]) << k;
    ((uint8_t *)dst)[i / 8] = (uint8_t)byte;
  }
}

}  // namespace
}  // namespace mlucpu

using namespace mlucpu;

#define MLU_DEFINE_POOL(T, name, call)                                                                       \
  void __bang_##name(T *dst, const T *src, int channels, int height, int width, int kernel_height,           \
                     int kernel_width, int stride_x, int stride_y) {                                         \
    Windows windows{channels, height, width, kernel_height, kernel_width, stride_x, stride_y};               \
    call;                                                                                                    \
  }
BANG_FLOATS(MLU_DEFINE_POOL, sumpool, sumpool(dst, src, windows))
BANG_FLOATS(MLU_DEFINE_POOL, minpool, extreme_pool(dst, src, windows, false))
BANG_FLOATS(MLU_DEFINE_POOL, maxpool, extreme_pool(dst, src, windows, true))

#define MLU_DEFINE_REDUCTIONS(T, _)                                                                             \
  T __bang_sum(const T *src, int64_t count) { return sum(src, count); }                                         \
  T __bang_max(const T *src, int64_t count) { return extreme_value(src, count, true); }                         \
  T __bang_min(const T *src, int64_t count) { return extreme_value(src, count, false); }                        \
  void __bang_argmax(T *dst, const T *src, int64_t count) { extreme_index(dst, src, count, true); }             \
  void __bang_argmin(T *dst, const T *src, int64_t count) { extreme_index(dst, src, count, false); }            \
  void __bang_maxpool_value_index(T *dst, const T *src, int channels, int height, int width, int kernel_height, \
                                  int kernel_width, int stride_x, int stride_y, int64_t gap) {                  \
    maxpool_value_index(dst, src, {channels, height, width, kernel_height, kernel_width, stride_x, stride_y}, gap); \
  }
BANG_FLOATS(MLU_DEFINE_REDUCTIONS, )

#define MLU_DEFINE_COUNTS(T, _)                                                                         \
  uint32_t __bang_count(const T *src, int64_t count) { return count_set(src, count); }                  \
  uint32_t __bang_findfirst1(const T *src, int64_t count) { return find_set(src, count, true); }        \
  uint32_t __bang_findlast1(const T *src, int64_t count) { return find_set(src, count, false); }        \
  uint32_t __bang_filter(T *dst, const T *src, const T *mask, int64_t count) {                          \
    if (!computes()) return 0;                                                                          \
    demand_input(mask, count);                                                                          \
    return filter(dst, src, count, [mask](int64_t i) { return is_set(mask[i]); });                      \
  }                                                                                                     \
  uint32_t __bang_filter_bitindex(T *dst, const T *src, const void *mask, int64_t count) {              \
    if (!computes()) return 0;                                                                          \
    const uint8_t *bits = (const uint8_t *)mask;                                                        \
    demand_input(bits, (count + 7) / 8);                                                                \
    return filter(dst, src, count, [bits](int64_t i) { return bits[i / 8] >> i % 8 & 1; });             \
  }
BANG_NUMBERS(MLU_DEFINE_COUNTS, )

#define MLU_DEFINE_BITINDEX(T, name, operation)                                              \
  void __bang_##name##_bitindex(void *dst, const T *a, const T *b, int64_t count) {          \
    bitindex(dst, a, b, count, [](auto x, auto y) { return x operation y; });                \
  }
BANG_FLOATS(MLU_DEFINE_BITINDEX, lt, <)
BANG_FLOATS(MLU_DEFINE_BITINDEX, le, <=)
BANG_FLOATS(MLU_DEFINE_BITINDEX, gt, >)
BANG_FLOATS(MLU_DEFINE_BITINDEX, ge, >=)
BANG_FLOATS(MLU_DEFINE_BITINDEX, eq, ==)
BANG_FLOATS(MLU_DEFINE_BITINDEX, ne, !=)
