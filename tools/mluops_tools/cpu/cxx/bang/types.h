// The types of BANG C, and the lists of types that intrinsics exist for.
#pragma once

#include <stdint.h>
#include <string.h>

typedef _Float16 half;

// The upper half of a float, rounded to nearest even.
struct bfloat16_t {
  uint16_t bits;

  bfloat16_t() = default;
  bfloat16_t(float value) {
    uint32_t wide;
    memcpy(&wide, &value, 4);
    bool nan = value != value;
    bits = (uint16_t)(nan ? (wide >> 16) | 0x40 : (wide + 0x7FFF + (wide >> 16 & 1)) >> 16);
  }
  operator float() const {
    uint32_t wide = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &wide, 4);
    return value;
  }
};

// X(T, ...) for each type of a kind; declarations and definitions are made from the same list.
#define BANG_FLOATS(X, ...) X(half, __VA_ARGS__) X(float, __VA_ARGS__) X(bfloat16_t, __VA_ARGS__)
#define BANG_INTEGERS(X, ...)                                                     \
  X(int8_t, __VA_ARGS__) X(int16_t, __VA_ARGS__) X(int32_t, __VA_ARGS__)          \
  X(uint8_t, __VA_ARGS__) X(uint16_t, __VA_ARGS__) X(uint32_t, __VA_ARGS__)
#define BANG_NUMBERS(X, ...) BANG_FLOATS(X, __VA_ARGS__) BANG_INTEGERS(X, __VA_ARGS__)
