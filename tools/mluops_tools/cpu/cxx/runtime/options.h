// What can be chosen for a process: environment variables that begin with MLUOPS_CPU_, read once.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace mlucpu {

enum class Copies { early, late };

struct Options {
  unsigned devices;         // MLUOPS_CPU_DEVICES, 1 to 64
  size_t memory;            // MLUOPS_CPU_MEMORY_MB, of each device
  int cnrt_version[3];      // MLUOPS_CPU_CNRT_VERSION, as 6.14.1
  bool eager;               // MLUOPS_CPU_EAGER=1: tasks of a queue run when they are enqueued
  int poison;               // MLUOPS_CPU_POISON: the byte that on-chip memory holds before a task; -1 for none
  bool races;               // MLUOPS_CPU_CHECK has the word races
  bool unwritten;           // MLUOPS_CPU_CHECK has the word unwritten
  uint64_t seed;            // MLUOPS_CPU_SEED: order of tasks and cores, and of copies where nothing else is said
  Copies copies;            // MLUOPS_CPU_COPIES=early or late; without it an odd seed makes them late
  bool shuffled;            // MLUOPS_CPU_ORDER=shuffled or forward; without it all seeds but 0 shuffle
  bool reversed;            // MLUOPS_CPU_ORDER=reversed
};

// Return the options of this process.
const Options &options();

// Return whether MLUOPS_CPU_MODEL has the word `name=value`: another reading of what no document fixes.
bool model_is(const char *name, const char *value);

}  // namespace mlucpu
