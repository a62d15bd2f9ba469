#include "bang/assembly.h"

#include <stdio.h>
#include <string.h>

#include <map>
#include <string>
#include <vector>

#include "bang/copy.h"
#include "bang/vectors.h"
#include "runtime/scheduler.h"

namespace mlucpu {
namespace {

// A statement such as "fuse.nram.f32 [%[dst]], %[n], [%[a]], .mul(%[b]), .add([%[c]]);" in its parts.
struct Statement {
  std::string mnemonic;
  std::vector<std::string> arguments;  // "[%[dst]]", "%[n]", ".mul(%[b])"
};

std::string trimmed(const std::string &text) {
  size_t from = text.find_first_not_of(" \t\n"), to = text.find_last_not_of(" \t\n");
  return from == std::string::npos ? "" : text.substr(from, to - from + 1);
}

Statement parsed(const std::string &text) {
  Statement statement;
  size_t space = text.find_first_of(" \t");
  statement.mnemonic = text.substr(0, space);
  if (space == std::string::npos) return statement;
  int depth = 0;
  std::string argument;
  for (char c : text.substr(space)) {
    depth += (c == '[' || c == '(') - (c == ']' || c == ')');
    if (c == ',' && depth == 0) {
      statement.arguments.push_back(trimmed(argument));
      argument.clear();
    } else {
      argument += c;
    }
  }
  statement.arguments.push_back(trimmed(argument));
  return statement;
}

std::string name_in(const std::string &argument) {
  size_t from = argument.find("%[");
  return from == std::string::npos ? "" : argument.substr(from + 2, argument.find(']', from) - from - 2);
}

class Operands {
 public:
  Operands(const char *text, std::initializer_list<AssemblyOperand> given) : text_(text) {
    for (const auto &operand : given) by_name_.emplace(operand.name, operand);
  }
  const AssemblyOperand &at(const std::string &argument) const {
    auto found = by_name_.find(name_in(argument));
    if (found == by_name_.end()) trapf("assembly without an operand for '%s': %s", argument.c_str(), text_);
    return found->second;
  }

 private:
  const char *text_;
  std::map<std::string, AssemblyOperand> by_name_;
};

// One step of a fused statement: ".mul(%[b])" with a scalar, or ".mul([%[b]])" with a vector.
template <class T>
struct Step {
  std::string operation;
  const T *vector;  // null for a scalar
  T scalar;
};

template <class T>
T scalar_of(const AssemblyOperand &operand) {
  if (!is_float_v<T>) return (T)operand.bits;
  if (operand.is_real) return (T)(float)operand.real;
  uint32_t bits = (uint32_t)operand.bits;  // an integer register that holds a float's bits
  T value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

template <class T>
std::vector<Step<T>> steps_of(const Statement &statement, const Operands &operands, int64_t count) {
  std::vector<Step<T>> steps;
  for (size_t i = 3; i < statement.arguments.size(); i++) {
    const std::string &argument = statement.arguments[i];
    size_t open = argument.find('(');
    Step<T> step{argument.substr(1, open - 1), nullptr, T(0)};
    if (argument[open + 1] == '[') {
      step.vector = (const T *)operands.at(argument).bits;
      demand_input(step.vector, count);
    } else {
      step.scalar = scalar_of<T>(operands.at(argument));
    }
    steps.push_back(step);
  }
  return steps;
}

template <class W>
W combined(const std::string &operation, W x, W y) {
  if (operation == "add") return x + y;
  if (operation == "sub") return x - y;
  if (operation == "mul") return x * y;
  if (operation == "ge") return (W)(x >= y);
  if (operation == "gt") return (W)(x > y);
  if (operation == "le") return (W)(x <= y);
  if (operation == "lt") return (W)(x < y);
  if (operation == "eq") return (W)(x == y);
  if (operation == "ne") return (W)(x != y);
  if constexpr (std::is_integral<W>::value) {
    if (operation == "and") return x & y;
    if (operation == "or") return x | y;
    if (operation == "xor") return x ^ y;
  }
  trapf("assembly with the step '%s', which is not modelled", operation.c_str());
}

// Each element goes through all steps; a half is rounded after each.
template <class T>
void fuse(const Statement &statement, const Operands &operands) {
  int64_t count = (int64_t)operands.at(statement.arguments[1]).bits;
  T *dst = (T *)operands.at(statement.arguments[0]).bits;
  const T *src = (const T *)operands.at(statement.arguments[2]).bits;
  demand_input(src, count);
  demand_output(dst, count);
  auto steps = steps_of<T>(statement, operands, count);
  for (int64_t i = 0; i < count; i++) {
    T value = src[i];
    for (const auto &step : steps) {
      value = (T)combined<wide_t<T>>(step.operation, value, step.vector ? step.vector[i] : step.scalar);
    }
    dst[i] = value;
  }
}

template <class T>
void divide(const Statement &statement, const Operands &operands) {
  T *dst = (T *)operands.at(statement.arguments[0]).bits;
  const T *src = (const T *)operands.at(statement.arguments[1]).bits;
  wide_t<T> by = scalar_of<T>(operands.at(statement.arguments[2]));
  int64_t count = (int64_t)operands.at(statement.arguments[3]).bits;
  demand_input(src, count);
  demand_output(dst, count);
  map(dst, src, count, [by](auto x) { return x / by; });
}

void gather(const Statement &statement, const Operands &operands) {
  auto bits = [&](size_t i) { return operands.at(statement.arguments[i]).bits; };
  __gather((void *)bits(0), (const void *)bits(1), (const uint32_t *)bits(2), (uint32_t)bits(3), NRAM2NRAM,
           (int64_t)bits(5), (uint32_t)bits(4));
}

void find_last_bit(const Statement &statement, const Operands &operands,
                   std::initializer_list<AssemblyTarget> targets) {
  uint32_t bits = (uint32_t)operands.at(statement.arguments[1]).bits;
  for (const auto &target : targets) {
    if (name_in(statement.arguments[0]) == target.name) *target.at = bits ? 31 - __builtin_clz(bits) : UINT32_MAX;
  }
}

void carry_out(const Statement &s, const Operands &operands, std::initializer_list<AssemblyTarget> targets,
               const char *text) {
  if (s.mnemonic == "sync") return finish_copies(~0u);
  if (s.mnemonic == "findlast1.gpr.b32") return find_last_bit(s, operands, targets);
  if (!computes()) return;
  if (s.mnemonic == "fuse.nram.u32") return fuse<uint32_t>(s, operands);
  if (s.mnemonic == "fuse.nram.s32") return fuse<int32_t>(s, operands);
  if (s.mnemonic == "fuse.nram.f32") return fuse<float>(s, operands);
  if (s.mnemonic == "fuse.nram.f16") return fuse<half>(s, operands);
  if (s.mnemonic == "div.scalar.nram.f32") return divide<float>(s, operands);
  if (s.mnemonic == "div.scalar.nram.f16") return divide<half>(s, operands);
  if (s.mnemonic == "gather.vector.nram.nram.nram.u32") return gather(s, operands);
  trapf("assembly that is not modelled: %s", text);
}

}  // namespace

void assembly(const char *text, std::initializer_list<AssemblyTarget> targets,
              std::initializer_list<AssemblyOperand> operands) {
  Operands named(text, operands);
  std::string rest = text;
  for (size_t end; (end = rest.find(';')) != std::string::npos; rest = rest.substr(end + 1)) {
    std::string statement = trimmed(rest.substr(0, end));
    if (!statement.empty()) carry_out(parsed(statement), named, targets, text);
  }
}

}  // namespace mlucpu
