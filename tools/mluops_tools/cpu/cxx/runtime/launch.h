// A kernel's launch: what the source file of the kernel hands to the runtime.
#pragma once

#include <functional>

#include "cnrt.h"
#include "runtime/variables.h"

namespace mlucpu {

struct Launch {
  const char *kernel;
  Unit *unit;
  cnrtDim3_t dim;
  cnrtFunctionType_t type;
  void (*enter)(const void *call);  // runs the kernel as one task
  const void *call;                 // the kernel's arguments
  size_t call_bytes;
};

// Run all tasks of a kernel. Returns whether it came to its end; where it trapped, the message is written.
bool run(const Launch &launch);

// Put work into a queue; on a device that has trapped nothing runs any more.
void enqueue(cnrtQueue_t queue, std::function<void()> work);
void enqueue_kernel(cnrtQueue_t queue, const Launch &launch, std::function<void()> destroy);

// Set what cnrtGetLastError answers.
void set_last_error(cnrtRet_t status);

// Say on standard error that a kernel was given an argument that is no device address.
void refuse_argument(const char *kernel, const void *address);

// Wait at a barrier: of the cores of a cluster or of all, with the memory cores or without.
void barrier(bool whole_union, bool with_memory_cores);

}  // namespace mlucpu
