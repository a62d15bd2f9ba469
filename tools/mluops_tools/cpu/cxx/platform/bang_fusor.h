// Chains of operations on a vector in NRAM: each works on what the one before it left in the destination.
#pragma once

#include "mlu.h"

namespace bang {
namespace experimental {

// fusor<T>(dst, src, count).mul(x).sqrt(): dst[i] = sqrt(src[i] * x).
template <class T>
class fusor {
 public:
  fusor(T *dst, const T *src, int64_t count) : dst_(dst), src_(src), count_(count) {}

#define MLU_CHAINED(name)                                                                            \
  fusor &name(T value) { return __bang_##name##_scalar(dst_, src_, value, count_), next(); }        \
  fusor &name(const T *other) { return __bang_##name(dst_, src_, other, count_), next(); }
  MLU_CHAINED(add)
  MLU_CHAINED(sub)
  MLU_CHAINED(mul)
#undef MLU_CHAINED
  fusor &sqrt() { return __bang_sqrt(dst_, src_, count_), next(); }

 private:
  fusor &next() { return src_ = dst_, *this; }

  T *dst_;
  const T *src_;
  int64_t count_;
};

}  // namespace experimental
}  // namespace bang
