#include "bang/fusion.h"

#include "bang/vectors.h"
#include "runtime/options.h"

namespace mlucpu {
namespace {

// Two operations round once, at the end, instead of after each.
const bool fused_once = model_is("fusion", "once");

template <class T, class First, class Second>
T fuse(T a, T b, T c, First first, Second second) {
  return fused_once ? (T)second(first((wide_t<T>)a, (wide_t<T>)b), (wide_t<T>)c)
                    : (T)second((wide_t<T>)(T)first((wide_t<T>)a, (wide_t<T>)b), (wide_t<T>)c);
}

template <class T>
T fuse(bangFusion_t mode, T a, T b, T c) {
  auto add = [](auto x, auto y) { return x + y; };
  auto sub = [](auto x, auto y) { return x - y; };
  auto mul = [](auto x, auto y) { return x * y; };
  switch (mode) {
    case FUSION_FAA: return fuse(a, b, c, add, add);
    case FUSION_FAS: return fuse(a, b, c, add, sub);
    case FUSION_FAM: return fuse(a, b, c, add, mul);
    case FUSION_FSA: return fuse(a, b, c, sub, add);
    case FUSION_FSS: return fuse(a, b, c, sub, sub);
    case FUSION_FSM: return fuse(a, b, c, sub, mul);
    case FUSION_FMA: return fuse(a, b, c, mul, add);
    case FUSION_FMS: return fuse(a, b, c, mul, sub);
    case FUSION_FMM: return fuse(a, b, c, mul, mul);
  }
  trapf("has the mode %d, which is none", (int)mode);
}

// An operand of a fusion: element i of a vector, of a short vector again and again, or a scalar.
template <class T>
struct Operand {
  const T *at;
  T value;
  int64_t count;
  T operator[](int64_t i) const { return at ? at[i % count] : value; }
};

template <class T>
Operand<T> operand(const T *at, int64_t count) {
  if (count) demand_input(at, count);
  return {at, T(), count};
}

template <class T>
Operand<T> operand(T value, int64_t) {
  return {nullptr, value, 0};
}

template <class T, class B, class C>
void fusion(bangFusion_t mode, T *dst, const T *a, B b, C c, int64_t count, int64_t short_count) {
  if (!computes()) return;
  demand_input(a, count);
  demand_output(dst, count);
  if (short_count < 0 || (short_count && count % short_count)) {
    trapf("takes %lld elements and short vectors of %lld, which do not divide them", (long long)count,
          (long long)short_count);
  }
  int64_t length = short_count ? short_count : count;
  Operand<T> second = operand<T>(b, length), third = operand<T>(c, length);
  for (int64_t i = 0; i < count; i++) dst[i] = fuse(mode, a[i], second[i], third[i]);
}

}  // namespace
}  // namespace mlucpu

#define MLU_DEFINE_FUSION(T, B, C)                                                                                \
  void __bang_fusion(bangFusion_t mode, T *dst, const T *a, B b, C c, int64_t count, int64_t short_count) {       \
    mlucpu::fusion<T>(mode, dst, a, b, c, count, short_count);                                                    \
  }
#define MLU_DEFINE_FUSIONS(T, _) BANG_FUSIONS(MLU_DEFINE_FUSION, T)
BANG_NUMBERS(MLU_DEFINE_FUSIONS, )
