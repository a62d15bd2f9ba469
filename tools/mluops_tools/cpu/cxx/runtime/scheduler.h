// The order in which tasks run, and their barriers.
#pragma once

#include <string>

namespace mlucpu {

// End the running kernel with a message, and go back to the scheduler.
[[noreturn]] void fail_kernel(const std::string &message);

// Make the asynchronous copies of the running core that are still due, in the pipes of the mask.
void finish_copies(unsigned pipes);

}  // namespace mlucpu
