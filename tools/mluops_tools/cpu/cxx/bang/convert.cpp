#include "bang/convert.h"

#include <vector>

#include "bang/vectors.h"

namespace mlucpu {
namespace {

enum class Rounding { down, up, toward_zero, away_from_zero, nearest_even, nearest_away };

// By the endings of the intrinsics.
constexpr Rounding rounding_ = Rounding::toward_zero;
constexpr Rounding rounding__rd = Rounding::down;
constexpr Rounding rounding__dn = Rounding::down;
constexpr Rounding rounding__up = Rounding::up;
constexpr Rounding rounding__tz = Rounding::toward_zero;
constexpr Rounding rounding__oz = Rounding::away_from_zero;
constexpr Rounding rounding__rn = Rounding::nearest_even;
constexpr Rounding rounding__rm = Rounding::nearest_away;

template <Rounding rounding>
float rounded(float value) {
  switch (rounding) {
    case Rounding::down: return floorf(value);
    case Rounding::up: return ceilf(value);
    case Rounding::away_from_zero: return value < 0 ? floorf(value) : ceilf(value);
    case Rounding::nearest_even: return nearbyintf(value);
    case Rounding::nearest_away: return roundf(value);
    default: return truncf(value);
  }
}

// The neighbours of a half by its bits, which grow with its size.
half next(half value, bool away) {
  uint16_t bits;
  memcpy(&bits, &value, 2);
  bits = (uint16_t)(away ? bits + 1 : bits - 1);
  memcpy(&value, &bits, 2);
  return value;
}

template <Rounding rounding>
half to_half(float value) {
  half nearest = (half)value;
  float back = (float)nearest;
  if (back == value || back != back || rounding == Rounding::nearest_even || rounding == Rounding::nearest_away) {
    return nearest;
  }
  bool too_far = fabsf(back) > fabsf(value);
  bool wants_far = rounding == Rounding::away_from_zero || (rounding == Rounding::down && value < 0) ||
                   (rounding == Rounding::up && value > 0);
  return too_far == wants_far ? nearest : next(nearest, wants_far);
}

template <Rounding rounding, class To, class From>
To converted(From value) {
  if constexpr (is_float_v<From> && std::is_integral<To>::value) {
    return to_integer<To>(rounded<rounding>((float)value));
  } else if constexpr (std::is_integral<From>::value && std::is_integral<To>::value) {
    const int64_t low = std::numeric_limits<To>::min(), high = std::numeric_limits<To>::max();
    return (To)((int64_t)value < low ? low : (int64_t)value > high ? high : (int64_t)value);
  } else if constexpr (std::is_same<To, half>::value) {
    return to_half<rounding>((float)value);
  } else {
    return (To)(float)value;
  }
}

template <Rounding rounding, class To, class From>
void convert(To *dst, const From *src, int64_t count, int position) {
  if (!computes()) return;
  if (position) trapf("has a fixed point at %d; only 0 is modelled", position);
  demand_input(src, count);
  demand_output(dst, count);
  const From *from = src;
  std::vector<From> copy;
  if ((const char *)dst < (const char *)(src + count) && (const char *)src < (const char *)(dst + count) &&
      sizeof(To) > sizeof(From)) {
    copy.assign(src, src + count);  // it is overwritten while it is read
    from = copy.data();
  }
  if constexpr (std::is_same<From, half>::value && std::is_same<To, float>::value) {
    for (int64_t at = 0; at < count; at += kBlock) {
      widen(from + at, dst + at, (int)(count - at < kBlock ? count - at : kBlock));
    }
  } else {
    for (int64_t i = 0; i < count; i++) dst[i] = converted<rounding, To>(from[i]);
  }
}

}  // namespace
}  // namespace mlucpu

#define MLU_DEFINE_CONVERSION(From, from, To, to, ending)                                        \
  void __bang_##from##2##to##ending(To *dst, const From *src, int64_t count, int position) {     \
    mlucpu::convert<mlucpu::rounding_##ending, To>(dst, src, count, position);                   \
  }
BANG_CONVERSIONS(MLU_DEFINE_CONVERSION)
