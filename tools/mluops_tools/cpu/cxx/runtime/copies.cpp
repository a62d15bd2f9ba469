// CNRT's memory functions.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <set>

#include "cnrt.h"
#include "runtime/launch.h"
#include "runtime/memory.h"
#include "runtime/options.h"
#include "runtime/queues.h"

using namespace mlucpu;

namespace {

// Return the contents of `bytes` at a device address; null, with a message, where they are not within one allocation.
char *device_bytes(const void *address, size_t bytes, const char *function) {
  char *at = contents(address);
  Allocation allocation;
  if (!at || !find_allocation((uintptr_t)at, &allocation) ||
      bytes > allocation.size - ((uintptr_t)at - allocation.low)) {
    fprintf(stderr, "libcnrt: %s of %zu bytes at %p, which are not within an allocation\n", function, bytes, address);
    noted(cnrtErrorArgsInvalid);
    return nullptr;
  }
  return at;
}

char *host_bytes(void *address, const char *function) {
  if (!contents(address)) return (char *)address;
  fprintf(stderr, "libcnrt: %s takes %p for an address of the host, and it is the device's\n", function, address);
  noted(cnrtErrorArgsInvalid);
  return nullptr;
}

struct Ends {
  char *target, *source;
};

// Return both ends as this process can touch them; null where one does not fit the direction.
Ends ends_of(void *target, void *source, size_t bytes, cnrtMemTransDir_t direction, const char *function) {
  bool to_device = direction == cnrtMemcpyHostToDev || direction == cnrtMemcpyDevToDev;
  bool from_device = direction == cnrtMemcpyDevToHost || direction == cnrtMemcpyDevToDev;
  return {to_device ? device_bytes(target, bytes, function) : host_bytes(target, function),
          from_device ? device_bytes(source, bytes, function) : host_bytes(source, function)};
}

}  // namespace

extern "C" {

cnrtRet_t cnrtMalloc(void **pointer, size_t bytes) {
  if (!pointer || !bytes) return noted(cnrtErrorArgsInvalid);
  if (health() != cnrtSuccess) return cnrtErrorKernelTrap;
  *pointer = allocate(bytes, current_device());
  return *pointer ? cnrtSuccess : noted(cnrtErrorNoMem);
}

cnrtRet_t cnrtMallocConstant(void **pointer, size_t bytes) { return cnrtMalloc(pointer, bytes); }

cnrtRet_t cnrtFree(void *pointer) {
  if (!pointer || release(pointer)) return cnrtSuccess;
  fprintf(stderr, "libcnrt: cnrtFree of %p, which is not allocated\n", pointer);
  return noted(cnrtErrorArgsInvalid);
}

cnrtRet_t cnrtHostMalloc(void **pointer, size_t bytes) {
  *pointer = malloc(bytes);
  return *pointer ? cnrtSuccess : noted(cnrtErrorNoMem);
}

cnrtRet_t cnrtFreeHost(void *pointer) {
  free(pointer);
  return cnrtSuccess;
}

cnrtRet_t cnrtMemcpy(void *target, void *source, size_t bytes, cnrtMemTransDir_t direction) {
  if (!bytes) return cnrtSuccess;
  drain_default();
  if (health() != cnrtSuccess) return cnrtErrorKernelTrap;
  Ends ends = ends_of(target, source, bytes, direction, __func__);
  if (!ends.target || !ends.source) return cnrtErrorArgsInvalid;
  memmove(ends.target, ends.source, bytes);
  return cnrtSuccess;
}

cnrtRet_t cnrtMemcpyAsync(void *target, void *source, size_t bytes, cnrtQueue_t queue, cnrtMemTransDir_t direction) {
  Ends ends = ends_of(target, source, bytes, direction, __func__);
  if (!ends.target || !ends.source) return cnrtErrorArgsInvalid;
  enqueue(queue, [ends, bytes] { memmove(ends.target, ends.source, bytes); });
  return cnrtSuccess;
}

cnrtRet_t cnrtMemcpyAsync_V2(void *target, void *source, size_t bytes, cnrtQueue_t queue, cnrtMemTransDir_t direction) {
  return cnrtMemcpyAsync(target, source, bytes, queue, direction);
}

cnrtRet_t cnrtMemcpyAsync_V3(void *target, void *source, size_t bytes, cnrtQueue_t queue, cnrtMemTransDir_t direction) {
  return cnrtMemcpyAsync(target, source, bytes, queue, direction);
}

cnrtRet_t cnrtMemset(void *pointer, int value, size_t bytes) {
  drain_default();
  char *at = device_bytes(pointer, bytes, __func__);
  if (!at) return cnrtErrorArgsInvalid;
  memset(at, value, bytes);
  return health();
}

cnrtRet_t cnrtMemsetAsync(void *pointer, int value, size_t bytes, cnrtQueue_t queue) {
  char *at = device_bytes(pointer, bytes, __func__);
  if (!at) return cnrtErrorArgsInvalid;
  enqueue(queue, [=] { memset(at, value, bytes); });
  return cnrtSuccess;
}

cnrtRet_t cnrtMemGetInfo(size_t *free, size_t *total) {
  *total = options().memory;
  *free = options().memory - memory_in_use(current_device());
  return cnrtSuccess;
}

cnrtRet_t cnrtPointerGetAttributes(cnrtPointerAttributes_t *attributes, void *pointer) {
  attributes->type = contents(pointer) ? cnrtMemTypeDevice : cnrtMemTypeUnregistered;
  return cnrtSuccess;
}

}  // extern "C"
