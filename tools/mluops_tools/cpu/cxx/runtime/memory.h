// Device memory. Its addresses are a range that no host code can touch; its contents lie in a second mapping,
// which kernels and copies use.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <string>

namespace mlucpu {

struct Allocation {
  uintptr_t low;    // of the contents
  size_t size;      // as asked for
  unsigned serial;  // the how manieth of the process, from 1
  int device;
  bool live;
};

// Return a new allocation's device address; null where the device has less memory left.
void *allocate(size_t bytes, int device);

// Give an allocation back; false where there is none at this address.
bool release(const void *address);

// Return the contents of a device address; null where it is none.
char *contents(const void *address);

// Return the device address of contents; null where there is none.
const void *address_of(uintptr_t contents_at);

// Find the live allocation that holds the contents at `at`.
bool find_allocation(uintptr_t at, Allocation *found);

// Find the allocation nearest to contents at `at`, or the last one that held them before it was freed.
bool nearest_allocation(uintptr_t at, Allocation *found);

// Whether an address is within the contents of any device memory, allocated or not.
bool in_device_memory(uintptr_t contents_at);

size_t memory_in_use(int device);

}  // namespace mlucpu
