// On-chip memory: the variables that a kernel's source file declares in NRAM, WRAM and SRAM.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <vector>

namespace mlucpu {

enum Memory : unsigned {
  kNram = 1,
  kWram = 2,
  kSram = 4,
  kGdram = 8,
  kStack = 16,  // a task's own
  kImage = 32,  // constants and arguments
};

// Return a memory's name, as in messages.
const char *name_of(Memory memory);

// A variable in on-chip memory: every core, or every cluster, has it once.
struct Variable {
  const char *name;
  Memory memory;
  size_t size;
  const void *image;  // what it holds when a task begins; null for poison
  char *storage;      // of slot 0; null until a kernel of its unit runs
  size_t stride;      // to the next slot's
};

// The variables of one source file.
struct Unit {
  std::vector<Variable *> variables;
};

const unsigned kCoreSlots = 80;     // the cores of UNION16 with their memory cores
const unsigned kClusterSlots = 16;

const int kWramParts = 64;  // filters of a convolution are spread over them

// Return the size of one of them.
size_t wram_part_bytes();

// Map the storage of a variable, with a guard page behind each core's part.
void map_variable(Variable *variable);

// Map the storage of a unit's variables.
void map_storage(const Unit &unit);

// Give the variables of one core, or of one cluster, what they hold when a task begins.
void reset_core_memory(const Unit &unit, unsigned slot);
void reset_cluster_memory(const Unit &unit, unsigned cluster_slot);

// Add a variable to its unit. One that a running kernel declares gets its memory, and its first contents, at once.
void declare_variable(Unit &unit, Variable *variable);

// Find the variable of another source file that is stored at `at`, and make it one of this unit, with its first
// contents: a kernel may be defined in another file than its launch. Null where there is none.
const Variable *adopt_variable(Unit &unit, uintptr_t at);

}  // namespace mlucpu
