#include "runtime/variables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <algorithm>

#include "runtime/core.h"
#include "runtime/figures.h"
#include "runtime/options.h"

namespace mlucpu {
namespace {

const size_t kPage = 4096;
const size_t kAlignment = 128;

size_t up(size_t bytes, size_t to) { return (bytes + to - 1) / to * to; }

unsigned slots_of(const Variable &variable) { return variable.memory == kSram ? kClusterSlots : kCoreSlots; }

// Return all variables that are declared.
std::vector<Variable *> &declared() {
  static std::vector<Variable *> variables;
  return variables;
}

void reset(const Variable &variable, unsigned slot) {
  char *at = variable.storage + variable.stride * slot;
  if (variable.image) {
    memcpy(at, variable.image, variable.size);
  } else if (options().poison >= 0) {
    memset(at, options().poison, variable.size);
  }
}

void reset_all(const Variable &variable) {
  for (unsigned slot = 0; slot < slots_of(variable); slot++) reset(variable, slot);
}

}  // namespace

// Place a variable at the end of its pages, so that what is behind it is not mapped.
void map_variable(Variable *variable) {
  unsigned slots = slots_of(*variable);
  size_t pages = up(variable->size, kPage);
  variable->stride = pages + kPage;
  char *base = (char *)mmap(nullptr, variable->stride * slots, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) {
    perror("libcnrt: on-chip memory cannot be mapped");
    abort();
  }
  for (unsigned slot = 0; slot < slots; slot++) {
    mprotect(base + slot * variable->stride + pages, kPage, PROT_NONE);
  }
  variable->storage = base + (pages - up(variable->size, kAlignment));
}

const char *name_of(Memory memory) {
  switch (memory) {
    case kNram: return "NRAM";
    case kWram: return "WRAM";
    case kSram: return "SRAM";
    case kGdram: return "GDRAM";
    case kStack: return "the stack";
    default: return "constants";
  }
}

size_t wram_part_bytes() { return kWramBytes / kWramParts; }

void map_storage(const Unit &unit) {
  for (Variable *variable : unit.variables) {
    if (!variable->storage) map_variable(variable);
  }
}

void reset_core_memory(const Unit &unit, unsigned slot) {
  for (const Variable *variable : unit.variables) {
    if (variable->memory != kSram) reset(*variable, slot);
  }
}

void reset_cluster_memory(const Unit &unit, unsigned cluster_slot) {
  for (const Variable *variable : unit.variables) {
    if (variable->memory == kSram) reset(*variable, cluster_slot);
  }
}

void declare_variable(Unit &unit, Variable *variable) {
  unit.variables.push_back(variable);
  declared().push_back(variable);
  if (!core->running) return;
  map_variable(variable);
  reset_all(*variable);
}

const Variable *adopt_variable(Unit &unit, uintptr_t at) {
  for (Variable *variable : declared()) {
    if (std::count(unit.variables.begin(), unit.variables.end(), variable)) continue;
    if (!variable->storage || at - (uintptr_t)variable->storage >= variable->stride * slots_of(*variable)) continue;
    unit.variables.push_back(variable);
    reset_all(*variable);
    return variable;
  }
  return nullptr;
}

}  // namespace mlucpu
