// A kernel's end at a fault: the message names the kernel, the task, the place and what was wrong.
#pragma once

#include <string>

namespace mlucpu {

// End the running kernel. `what` continues "task 3 of Kernel<float>: ".
[[noreturn]] void trap(const std::string &what);

// The same, with a format of printf.
[[noreturn]] void trapf(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Return the places of the calls that led here, in source files of kernels, the innermost first.
std::string place_here();

// Return a short name for a code address: file:line in the source of a kernel.
std::string place_of(const void *code);

}  // namespace mlucpu
