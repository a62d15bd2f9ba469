#include "runtime/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <deque>
#include <map>
#include <mutex>

#include "runtime/options.h"

namespace mlucpu {
namespace {

const size_t kAlignment = 512;
const size_t kGap = 512;                   // between allocations, so that none begins where another ends
const size_t kPoisoned = size_t(8) << 20;  // bytes of an allocation that get the values below
const int kFresh = 0xA5;
const int kFreed = 0x5E;
const size_t kRemembered = 256;            // freed allocations that a message can still name

size_t rounded(size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment + kGap; }

char *reserve(size_t bytes, int protection) {
  void *at = mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) {
    perror("libcnrt: the device's memory cannot be reserved");
    abort();
  }
  return (char *)at;
}

class Heap {
 public:
  Heap() : span_((options().memory + (size_t(1) << 30)) * options().devices * 2) {
    addresses_ = reserve(span_, PROT_NONE);
    contents_ = reserve(span_, PROT_READ | PROT_WRITE);
    free_[1 << 20] = span_ - (1 << 20);
  }

  void *take(size_t bytes, int device) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (in_use_[device] + bytes > options().memory || bytes > options().memory) return nullptr;
    size_t wanted = rounded(bytes);
    for (auto hole = free_.begin(); hole != free_.end(); ++hole) {
      if (hole->second < wanted) continue;
      size_t at = hole->first, rest = hole->second - wanted;
      free_.erase(hole);
      if (rest) free_[at + wanted] = rest;
      used_[at] = Allocation{(uintptr_t)contents_ + at, bytes, ++count_, device, true};
      in_use_[device] += bytes;
      memset(contents_ + at, kFresh, bytes < kPoisoned ? bytes : kPoisoned);
      return addresses_ + at;
    }
    return nullptr;
  }

  bool give(const void *address) {
    std::lock_guard<std::mutex> lock(mutex_);
    auto found = used_.find((const char *)address - addresses_);
    if (found == used_.end()) return false;
    size_t at = found->first, bytes = found->second.size;
    in_use_[found->second.device] -= bytes;
    forget_in_time(found->second);
    used_.erase(found);
    memset(contents_ + at, kFreed, bytes < kPoisoned ? bytes : kPoisoned);
    if (bytes > kPoisoned) madvise(contents_ + at + kPoisoned, (bytes - kPoisoned) & ~size_t(4095), MADV_DONTNEED);
    add_hole(at, rounded(bytes));
    return true;
  }

  bool find(uintptr_t at, Allocation *found) {
    std::lock_guard<std::mutex> lock(mutex_);
    auto after = used_.upper_bound(at - (uintptr_t)contents_);
    if (after == used_.begin()) return false;
    const Allocation &before = std::prev(after)->second;
    if (at - before.low >= before.size) return false;
    *found = before;
    return true;
  }

  bool nearest(uintptr_t at, Allocation *found) {
    std::lock_guard<std::mutex> lock(mutex_);
    for (auto freed = freed_.rbegin(); freed != freed_.rend(); ++freed) {
      if (at - freed->low < freed->size) return *found = *freed, true;
    }
    uintptr_t offset = at - (uintptr_t)contents_;
    auto after = used_.upper_bound(offset);
    bool has_before = after != used_.begin(), has_after = after != used_.end();
    if (!has_before && !has_after) return false;
    if (!has_before) return *found = after->second, true;
    const Allocation &before = std::prev(after)->second;
    bool behind = at - before.low >= before.size;
    bool nearer_after = has_after && behind && after->second.low - at < at - (before.low + before.size);
    return *found = nearer_after ? after->second : before, true;
  }

  char *contents(const void *address) const { return moved((const char *)address - addresses_, contents_); }
  const void *address_of(uintptr_t at) const { return moved((const char *)at - contents_, addresses_); }
  size_t in_use(int device) const { return in_use_[device]; }

 private:
  char *moved(size_t offset, char *base) const { return offset < span_ ? base + offset : nullptr; }

  void forget_in_time(Allocation freed) {
    freed.live = false;
    freed_.push_back(freed);
    if (freed_.size() > kRemembered) freed_.pop_front();
  }

  void add_hole(size_t at, size_t bytes) {
    auto next = free_.lower_bound(at);
    if (next != free_.end() && at + bytes == next->first) {
      bytes += next->second;
      next = free_.erase(next);
    }
    if (next != free_.begin() && std::prev(next)->first + std::prev(next)->second == at) {
      std::prev(next)->second += bytes;
    } else {
      free_[at] = bytes;
    }
  }

  const size_t span_;
  char *addresses_, *contents_;
  std::map<size_t, size_t> free_;  // offset, bytes
  std::map<size_t, Allocation> used_;
  std::deque<Allocation> freed_;
  size_t in_use_[64] = {};
  unsigned count_ = 0;
  std::mutex mutex_;
};

Heap &heap() {
  static Heap *only = new Heap;  // never destroyed: queues may still run when the process ends
  return *only;
}

}  // namespace

void *allocate(size_t bytes, int device) { return heap().take(bytes, device); }
bool release(const void *address) { return heap().give(address); }
char *contents(const void *address) { return heap().contents(address); }
const void *address_of(uintptr_t at) { return heap().address_of(at); }
bool find_allocation(uintptr_t at, Allocation *found) { return heap().find(at, found); }
bool nearest_allocation(uintptr_t at, Allocation *found) { return heap().nearest(at, found); }
bool in_device_memory(uintptr_t at) { return heap().address_of(at) != nullptr; }
size_t memory_in_use(int device) { return heap().in_use(device); }

}  // namespace mlucpu
