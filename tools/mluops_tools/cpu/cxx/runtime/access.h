// Every access of a kernel is held to the memory that it may touch: those of intrinsics by calls of `check`,
// and those of scalar code by the calls that -fsanitize=thread makes the compiler insert.
#pragma once

#include "runtime/core.h"

#define MLU_UNCHECKED __attribute__((no_sanitize("thread")))

namespace mlucpu {

enum class Access { read, write, atomic };

// Admit an access that is in none of the regions touched last, or end the kernel.
void admit(uintptr_t at, size_t bytes, unsigned memories, Access access);

// End the kernel where `bytes` at `at` are not all within one buffer of one of the memories.
MLU_UNCHECKED inline void check(const void *at, size_t bytes, unsigned memories, Access access) {
  for (const Region &region : core->recent) {
    uintptr_t offset = (uintptr_t)at - region.low;
    if (offset < region.size && bytes <= region.size - offset && (region.memory & memories)) return;
  }
  admit((uintptr_t)at, bytes, memories, access);
}

// Find the region that the running task has at an address.
bool region_at(uintptr_t at, Region *found);

// Note the launch that accesses are held to.
struct Launch;
void begin_accesses(const Launch &launch);

}  // namespace mlucpu
