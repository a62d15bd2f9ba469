#include "bang/convolution.h"

#include <vector>

#include "bang/vectors.h"
#include "runtime/variables.h"

namespace mlucpu {
namespace {

const size_t kRow = 64;  // bytes that the length of a filter is padded to

// Return a filter of `count` elements, checked.
template <class T>
const T *filter_at(const T *filters, int number, int count) {
  size_t row = (count * sizeof(T) + kRow - 1) / kRow * kRow;
  const char *at = (const char *)filters + number % kWramParts * wram_part_bytes() + number / kWramParts * row;
  demand_input((const T *)at, count, kWram);
  return (const T *)at;
}

struct Convolution {
  int channels, height, width, kernel_height, kernel_width, stride_x, stride_y, out_channels;
  int rows() const { return (height - kernel_height) / stride_y + 1; }
  int columns() const { return (width - kernel_width) / stride_x + 1; }
  int taps() const { return kernel_height * kernel_width * channels; }
  void demand() const {
    if (channels <= 0 || out_channels <= 0 || kernel_height <= 0 || kernel_width <= 0 || stride_x <= 0 ||
        stride_y <= 0 || kernel_height > height || kernel_width > width) {
      trapf("has %d filters of %d x %d on %d x %d points of %d channels, strides %d and %d", out_channels,
            kernel_height, kernel_width, height, width, channels, stride_y, stride_x);
    }
  }
};

// Return the sum of a filter's products at a point, in float and in the order of the filter.
template <class T>
float products(const Convolution &c, const T *src, const T *filter, int row, int column) {
  float total = 0;
  int part = c.kernel_width * c.channels;
  for (int y = 0; y < c.kernel_height; y++) {
    const T *line = src + ((int64_t)(row * c.stride_y + y) * c.width + column * c.stride_x) * c.channels;
    for (int k = 0; k < part; k++) total += (float)line[k] * (float)filter[y * part + k];
  }
  return total;
}

template <class T>
void convolve(T *dst, const T *src, const T *filters, const Convolution &c) {
  if (!computes()) return;
  c.demand();
  int64_t points = (int64_t)c.rows() * c.columns();
  size_t inputs = (size_t)c.channels * c.height * c.width;
  demand_input(src, inputs);
  demand_output(dst, points * c.out_channels);
  demand_apart(dst, points * c.out_channels * sizeof(T), src, inputs * sizeof(T));
  if ((const void *)dst == src) trap("has a destination that is its source");
  for (int o = 0; o < c.out_channels; o++) {
    const T *filter = filter_at(filters, o, c.taps());
    for (int64_t p = 0; p < points; p++) {
      dst[p * c.out_channels + o] = (T)products(c, src, filter, (int)(p / c.columns()), (int)(p % c.columns()));
    }
  }
}

// Multiply each of `count` points by its weight and by the filters, and add what is there to add.
template <class T>
void expand(T *dst, const T *weights, const T *filters, const T *src, const T *addend, int count, int channels) {
  if (!computes()) return;
  int64_t elements = (int64_t)count * channels;
  demand_input(weights, count);
  demand_input(src, elements);
  if (addend) demand_input(addend, elements);
  demand_output(dst, elements);
  demand_apart(dst, elements * sizeof(T), src, elements * sizeof(T));
  std::vector<T> factors;
  for (int c = 0; c < channels; c++) factors.push_back(*filter_at(filters, c, 1));
  for (int64_t i = 0; i < elements; i++) {
    T product = (T)((float)(T)((float)weights[i / channels] * (float)factors[i % channels]) * (float)src[i]);
    dst[i] = addend ? (T)((float)product + (float)addend[i]) : product;
  }
}

}  // namespace
}  // namespace mlucpu

using namespace mlucpu;

#define MLU_DEFINE_CONVOLUTION(T, _)                                                                                  \
  void __bang_conv(T *dst, const T *src, const T *filters, int channels, int height, int width, int kernel_height,    \
                   int kernel_width, int stride_x, int stride_y, int out_channels) {                                  \
    convolve(dst, src, filters,                                                                                       \
             {channels, height, width, kernel_height, kernel_width, stride_x, stride_y, out_channels});               \
  }                                                                                                                   \
  void __bang_expand_channel_mul(T *dst, const T *weights, const T *filters, const T *src, int count, int channels) { \
    expand<T>(dst, weights, filters, src, nullptr, count, channels);                                                  \
  }                                                                                                                   \
  void __bang_expand_channel_mul_add(T *dst, const T *weights, const T *filters, const T *src, const T *addend,       \
                                     int count, int channels) {                                                       \
    expand(dst, weights, filters, src, addend, count, channels);                                                      \
  }
BANG_FLOATS(MLU_DEFINE_CONVOLUTION, )
