// Scalar functions of kernels, beside those of C.
#pragma once

#include <math.h>

#include <cmath>

#include "bang/types.h"

inline float __cn_scalar_cos_f32(float x) { return cosf(x); }
inline float __cn_scalar_sin_f32(float x) { return sinf(x); }
inline half __cn_scalar_cos_f16(half x) { return (half)cosf((float)x); }
inline half __cn_scalar_sin_f16(half x) { return (half)sinf((float)x); }
inline half cos(half x) { return __cn_scalar_cos_f16(x); }
inline half sin(half x) { return __cn_scalar_sin_f16(x); }
inline float __cn_scalar_exp_f32(float x) { return expf(x); }
inline float __cn_scalar_log_f32(float x) { return logf(x); }

// The C library's names in std, which kernels use, and half's place among the types of numbers.
namespace std {
using ::ceilf;
using ::cos;
using ::cosf;
using ::floorf;
using ::sin;
using ::sinf;
inline bool isnan(half x) { return x != x; }
inline bool isinf(half x) { return isinf((float)x); }
}  // namespace std
using std::isinf;
using std::isnan;
