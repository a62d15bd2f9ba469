// Queues: what is enqueued runs when something waits for it, unless MLUOPS_CPU_EAGER asks for it at once.
#pragma once

#include <functional>

#include "cnrt.h"

namespace mlucpu {

// Run everything that was enqueued, in all queues.
void drain_all();

// Run what copies without a queue wait for: the default queue.
void drain_default();

// Return cnrtSuccess; cnrtErrorKernelTrap once a kernel has trapped: the device is lost to the process then.
cnrtRet_t health();

// Keep a status for cnrtGetLastError, unless it is a success; return it.
cnrtRet_t noted(cnrtRet_t status);

// The device that this thread has chosen.
int current_device();

}  // namespace mlucpu
