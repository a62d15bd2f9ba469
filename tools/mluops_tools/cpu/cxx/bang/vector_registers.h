// Vector registers: 64 bytes, 16 floats. Kernels use them to number elements and to draw random numbers.
#pragma once

#include "bang/types.h"
#include "runtime/access.h"

const unsigned kVectorRegisterBytes = 64;

template <class T>
struct vv_register {
  T lane[kVectorRegisterBytes / sizeof(T)];
};
typedef vv_register<float> vv_float;
typedef vv_register<half> vv_half;
typedef vv_register<int16_t> vv_int16;
typedef vv_register<uint16_t> vv_uint16;
typedef vv_register<int32_t> vv_int32;
typedef vv_register<uint32_t> vv_uint32;

#define BANG_VV_LANES(T, i) for (unsigned i = 0; i < kVectorRegisterBytes / sizeof(T); i++)

MLU_UNCHECKED inline unsigned __vv_get_length() { return kVectorRegisterBytes; }

template <class T, class S>
MLU_UNCHECKED void __vv_move(vv_register<T> &dst, S value) {
  BANG_VV_LANES(T, i) dst.lane[i] = (T)value;
}

// Lane i is start + i * step.
template <class T, class S, class U>
MLU_UNCHECKED void __vv_index(vv_register<T> &dst, S start, U step) {
  BANG_VV_LANES(T, i) dst.lane[i] = (T)(start + (T)i * step);
}

#define BANG_VV_BINARY(name, expression)                                                          \
  template <class T>                                                                              \
  MLU_UNCHECKED void name(vv_register<T> &dst, const vv_register<T> &a, const vv_register<T> &b) { \
    BANG_VV_LANES(T, i) {                                                                         \
      T x = a.lane[i], y = b.lane[i];                                                             \
      dst.lane[i] = (T)(expression);                                                              \
    }                                                                                             \
  }                                                                                               \
  template <class T, class S, class = std::enable_if_t<std::is_arithmetic<S>::value || std::is_same<S, half>::value>> \
  MLU_UNCHECKED void name(vv_register<T> &dst, const vv_register<T> &a, S scalar) {               \
    T y = (T)scalar;                                                                              \
    BANG_VV_LANES(T, i) {                                                                         \
      T x = a.lane[i];                                                                            \
      dst.lane[i] = (T)(expression);                                                              \
    }                                                                                             \
  }
BANG_VV_BINARY(__vv_add, x + y)
BANG_VV_BINARY(__vv_mul, x *y)
BANG_VV_BINARY(__vv_xor, (uint32_t)x ^ (uint32_t)y)
BANG_VV_BINARY(__vv_mulh, (uint64_t)x *(uint64_t)y >> 32)

template <class T>
MLU_UNCHECKED void __vv_trixor(vv_register<T> &dst, const vv_register<T> &a, const vv_register<T> &b,
                               const vv_register<T> &c) {
  BANG_VV_LANES(T, i) dst.lane[i] = a.lane[i] ^ b.lane[i] ^ c.lane[i];
}

// Write the first `count` lanes to NRAM, all without a count.
template <class T>
MLU_UNCHECKED void __vv_store(T *dst, const vv_register<T> &a, unsigned count = kVectorRegisterBytes / sizeof(T)) {
  mlucpu::check(dst, count * sizeof(T), mlucpu::kNram, mlucpu::Access::write);
  for (unsigned i = 0; i < count; i++) dst[i] = a.lane[i];
}

namespace mlucpu {

// The statement "index.vvr.f32 %[dst], %[base], step".
MLU_UNCHECKED inline void assembly_index(vv_float &dst, float base, float step) { __vv_index(dst, base, step); }

}  // namespace mlucpu
