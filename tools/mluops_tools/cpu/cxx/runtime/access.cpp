#include "runtime/access.h"

#include <link.h>
#include <stdio.h>

#include <string>
#include <vector>

#include "runtime/launch.h"
#include "runtime/memory.h"
#include "runtime/options.h"
#include "runtime/shadow.h"
#include "runtime/trap.h"

namespace mlucpu {
namespace {

const Launch *current;           // the launch that runs; one at a time in a process
std::vector<Region> segments;    // of the shared libraries that are loaded

int add_segments(dl_phdr_info *module, size_t, void *) {
  for (int i = 0; i < module->dlpi_phnum; i++) {
    const auto &header = module->dlpi_phdr[i];
    if (header.p_type == PT_LOAD) {
      segments.push_back({module->dlpi_addr + header.p_vaddr, header.p_memsz, kImage});
    }
  }
  return 0;
}

bool holds(const Region &region, uintptr_t at, size_t bytes) {
  uintptr_t offset = at - region.low;
  return offset < region.size && bytes <= region.size - offset;
}

Region region_of(const Variable &variable) {
  unsigned slot = variable.memory == kSram ? core->cluster_slot : core->slot;
  return {(uintptr_t)variable.storage + variable.stride * slot, variable.size, variable.memory};
}

bool find_constant(uintptr_t at, size_t bytes, Region *found) {
  Region arguments{(uintptr_t)current->call, current->call_bytes, kImage};
  if (holds(arguments, at, bytes)) return *found = arguments, true;
  for (const Region &segment : segments) {
    if (holds(segment, at, bytes)) return *found = segment, true;
  }
  return false;
}

bool find_variable(uintptr_t at, size_t bytes, Region *found) {
  for (const Variable *variable : current->unit->variables) {
    Region region = region_of(*variable);
    if (holds(region, at, bytes)) return *found = region, true;
  }
  return false;
}

// Find a variable of another source file than the one that launched the kernel.
bool find_others_variable(uintptr_t at, size_t bytes, Region *found) {
  const Variable *variable = adopt_variable(*current->unit, at);
  if (!variable) return false;
  if (options().unwritten) note_image(*variable);
  *found = region_of(*variable);
  return holds(*found, at, bytes);
}

// Find the region that holds all the bytes.
bool find(uintptr_t at, size_t bytes, Region *found) {
  if (find_variable(at, bytes, found)) return true;
  Allocation allocation;
  if (find_allocation(at, &allocation)) {
    *found = {allocation.low, allocation.size, kGdram};
    return holds(*found, at, bytes);
  }
  Region stack{core->stack_low, core->stack_size, kStack};
  if (holds(stack, at, bytes)) return *found = stack, true;
  return find_constant(at, bytes, found) || find_others_variable(at, bytes, found);
}

std::string beside(const char *what, uintptr_t low, size_t size, uintptr_t at, size_t bytes) {
  char text[300];
  if (at < low) {
    snprintf(text, sizeof text, "%zu bytes before %s of %zu bytes", (size_t)(low - at), what, size);
  } else if (at - low >= size) {
    snprintf(text, sizeof text, "%zu bytes behind the end of %s of %zu bytes", (size_t)(at - low - size), what, size);
  } else {
    snprintf(text, sizeof text, "at byte %zu of %s of %zu bytes, %zu past its end", (size_t)(at - low), what, size,
             (size_t)(at - low) + bytes - size);
  }
  return text;
}

// Say which buffer an address is in, or beside.
std::string describe(uintptr_t at, size_t bytes) {
  const size_t near = 1 << 20;
  for (const Variable *variable : current->unit->variables) {
    Region region = region_of(*variable);
    if (at + near - region.low < region.size + 2 * near) {
      std::string what = std::string(name_of(variable->memory)) + " buffer '" + variable->name + "'";
      return beside(what.c_str(), region.low, region.size, at, bytes);
    }
  }
  Allocation near_by;
  if (in_device_memory(at) && nearest_allocation(at, &near_by)) {
    std::string what = std::string(near_by.live ? "" : "freed ") + "allocation " + std::to_string(near_by.serial) +
                       " of device memory";
    return beside(what.c_str(), near_by.low, near_by.size, at, bytes);
  }
  if (contents((const void *)at)) return "at a device address that the kernel did not get as an argument";
  if (at < 4096) return "at the address NULL";
  return "at an address of the host, or of another core's memory";
}

std::string names_of(unsigned memories) {
  std::string text;
  for (unsigned memory : {kNram, kWram, kSram, kGdram, kStack, kImage}) {
    if (memories & memory) text += (text.empty() ? "" : " or ") + std::string(name_of((Memory)memory));
  }
  return text;
}

void remember(const Region &region) {
  core->recent[core->oldest] = region;
  core->oldest = (core->oldest + 1) % 4;
}

}  // namespace

bool region_at(uintptr_t at, Region *found) { return find(at, 1, found); }

void begin_accesses(const Launch &launch) {
  current = &launch;
  segments.clear();
  dl_iterate_phdr(add_segments, nullptr);
}

void admit(uintptr_t at, size_t bytes, unsigned memories, Access access) {
  if (!core->running) return;
  if (bytes == 0) return;
  const char *verb = access == Access::read ? "reads" : access == Access::write ? "writes" : "adds to";
  Region region;
  if (!find(at, bytes, &region)) {
    trap(std::string(verb) + " " + std::to_string(bytes) + " bytes " + describe(at, bytes));
  }
  if (!(region.memory & memories)) {
    trap(std::string(verb) + " " + name_of((Memory)region.memory) + " where " + names_of(memories) + " is demanded");
  }
  if (options().races || options().unwritten) {
    note_access(at, bytes, region, access);
  } else {
    remember(region);
  }
}

namespace {

const unsigned kAny = kNram | kWram | kSram | kGdram | kStack | kImage;
inline void scalar(const void *at, size_t bytes, Access access) { check(at, bytes, kAny, access); }

}  // namespace
}  // namespace mlucpu

// The calls that the compiler inserts before each access of scalar code.
extern "C" {
#define MLU_HOOKS(bytes)                                                                                          \
  void __tsan_read##bytes(void *at) { mlucpu::scalar(at, bytes, mlucpu::Access::read); }                          \
  void __tsan_write##bytes(void *at) { mlucpu::scalar(at, bytes, mlucpu::Access::write); }                        \
  void __tsan_unaligned_read##bytes(void *at) { mlucpu::scalar(at, bytes, mlucpu::Access::read); }                \
  void __tsan_unaligned_write##bytes(void *at) { mlucpu::scalar(at, bytes, mlucpu::Access::write); }              \
  void __tsan_volatile_read##bytes(void *at) { mlucpu::scalar(at, bytes, mlucpu::Access::read); }                 \
  void __tsan_volatile_write##bytes(void *at) { mlucpu::scalar(at, bytes, mlucpu::Access::write); }
MLU_HOOKS(1)
MLU_HOOKS(2)
MLU_HOOKS(4)
MLU_HOOKS(8)
MLU_HOOKS(16)
void __tsan_read_range(void *at, size_t bytes) { mlucpu::scalar(at, bytes, mlucpu::Access::read); }
void __tsan_write_range(void *at, size_t bytes) { mlucpu::scalar(at, bytes, mlucpu::Access::write); }
void __tsan_vptr_update(void **, void *) {}
void __tsan_vptr_read(void **) {}
void __tsan_init() {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}
// The guard of a variable within a function, which one host thread at a time initializes.
char __tsan_atomic8_load(const volatile char *at, int) { return __atomic_load_n(at, __ATOMIC_ACQUIRE); }
}
