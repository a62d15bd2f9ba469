// Assembly statements of kernels. The converter makes a call of each: the text with its operands by name.
#pragma once

#include <stdint.h>

#include <initializer_list>
#include <type_traits>

#include "bang/convert.h"
#include "bang/types.h"

namespace mlucpu {

// A named operand: an address, an integer or a float.
struct AssemblyOperand {
  const char *name;
  uint64_t bits;  // of an address or an integer
  double real;    // the value of a number
  bool is_real;

  template <class T>
  MLU_UNCHECKED AssemblyOperand(const char *name, T value) : name(name), bits(0), real(0), is_real(false) {
    if constexpr (std::is_pointer<T>::value) {
      bits = (uint64_t)value;
    } else if constexpr (is_float_v<T>) {
      real = (double)(float)value, is_real = true;
    } else {
      bits = (uint64_t)value, real = (double)value;
    }
  }
};

// An operand that the statement writes.
struct AssemblyTarget {
  const char *name;
  uint32_t *at;
};

// Carry out a statement; a form that is not modelled is a trap.
void assembly(const char *text, std::initializer_list<AssemblyTarget> targets,
              std::initializer_list<AssemblyOperand> operands);

}  // namespace mlucpu
