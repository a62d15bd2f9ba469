// What is known of each byte while MLUOPS_CPU_CHECK asks for it: who touched it, and whether anybody wrote it.
#pragma once

#include "runtime/access.h"

namespace mlucpu {

// Forget everything: a kernel begins.
void begin_shadow(const Launch &launch);

// Note that a variable holds its image.
void note_image(const Variable &variable);

// Forget what a core, or a cluster, has written into on-chip memory: a task begins.
void forget_writes(uintptr_t low, size_t bytes);

// Note an access that is within a region; end the kernel at a race, or at a read of what nobody wrote.
void note_access(uintptr_t at, size_t bytes, const Region &region, Access access);

// End the kernel where bytes on their way from on-chip memory to GDRAM were never written.
void demand_written(const void *at, size_t bytes);

}  // namespace mlucpu
