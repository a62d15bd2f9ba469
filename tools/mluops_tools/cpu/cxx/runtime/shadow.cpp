#include "runtime/shadow.h"

#include <execinfo.h>
#include <string.h>

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/launch.h"
#include "runtime/options.h"
#include "runtime/trap.h"

namespace mlucpu {
namespace {

const size_t kPage = 4096;
const int kFrames = 12;

// One access of one task; bytes refer to it by its number.
struct Event {
  int task, cluster;
  unsigned epoch_all, epoch_cluster;
  bool memory_core;
  Access access;
  void *codes[kFrames];
  int depth;
};

struct Page {
  uint32_t writer[kPage];
  uint32_t reader[kPage];
};

std::vector<Event> events;
std::unordered_map<uintptr_t, std::unique_ptr<Page>> pages;
std::unordered_map<uintptr_t, std::unique_ptr<uint8_t[]>> written;  // of on-chip memory, a byte for a byte

Page &page_at(uintptr_t at) {
  auto &page = pages[at / kPage];
  if (!page) page.reset(new Page());
  return *page;
}

uint8_t *written_at(uintptr_t at) {
  auto &page = written[at / kPage];
  if (!page) page.reset(new uint8_t[kPage]());
  return page.get() + at % kPage;
}

uint32_t note_event(Access access) {
  Event event{core->task_id,     core->cluster_id, core->epoch_all, core->epoch_cluster,
              core->memory_core, access,           {},              0};
  event.depth = backtrace(event.codes, kFrames);
  events.push_back(event);
  return (uint32_t)events.size();
}

// Whether a barrier stands between an earlier access and the running task's, or both are the same task's.
bool ordered(const Event &earlier) {
  if (earlier.task == core->task_id && earlier.memory_core == core->memory_core) return true;
  if (earlier.epoch_all != core->epoch_all) return true;
  return earlier.cluster == core->cluster_id && earlier.epoch_cluster != core->epoch_cluster;
}

const char *past(Access access) {
  return access == Access::read ? "read" : access == Access::write ? "written" : "added to";
}

std::string place_of(const Event &event) {
  for (int i = 1; i < event.depth; i++) {
    std::string place = mlucpu::place_of(event.codes[i]);
    if (place != "an unknown place") return place;
  }
  return "an unknown place";
}

void refuse_race(uint32_t number, Access access, const Region &region) {
  if (!number) return;
  const Event &earlier = events[number - 1];
  if (ordered(earlier) || (earlier.access == Access::atomic && access == Access::atomic)) return;
  if (region.memory == kSram && earlier.cluster != core->cluster_id) return;  // each cluster has its own
  trap(std::string("race: bytes of ") + name_of((Memory)region.memory) + " are " + past(access) + " that task " +
       std::to_string(earlier.task) + " has " + past(earlier.access) + " at " + place_of(earlier) +
       ", with no barrier between");
}

void note_race(uintptr_t at, size_t bytes, const Region &region, Access access) {
  uint32_t event = 0;
  for (size_t i = 0; i < bytes; i++) {
    Page &page = page_at(at + i);
    size_t index = (at + i) % kPage;
    refuse_race(page.writer[index], access, region);
    if (access != Access::read) refuse_race(page.reader[index], access, region);
    if (!event) event = note_event(access);
    (access == Access::read ? page.reader : page.writer)[index] = event;
  }
}

void mark_written(uintptr_t at, size_t bytes) {
  while (bytes) {
    size_t part = kPage - at % kPage < bytes ? kPage - at % kPage : bytes;
    memset(written_at(at), 1, part);
    at += part, bytes -= part;
  }
}

}  // namespace

void begin_shadow(const Launch &launch) {
  events.clear();
  pages.clear();
  written.clear();
  for (const Variable *variable : launch.unit->variables) note_image(*variable);
}

void note_image(const Variable &variable) {
  unsigned slots = variable.memory == kSram ? kClusterSlots : kCoreSlots;
  for (unsigned slot = 0; variable.image && slot < slots; slot++) {
    mark_written((uintptr_t)variable.storage + slot * variable.stride, variable.size);
  }
}

void forget_writes(uintptr_t low, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) *written_at(low + i) = 0;
}

void note_access(uintptr_t at, size_t bytes, const Region &region, Access access) {
  if (options().unwritten && access != Access::read) mark_written(at, bytes);
  if (options().races && (region.memory & (kGdram | kSram))) note_race(at, bytes, region, access);
}

void demand_written(const void *at, size_t bytes) {
  if (!options().unwritten) return;
  for (size_t i = 0; i < bytes; i++) {
    if (!*written_at((uintptr_t)at + i)) {
      trapf("copies %zu bytes to GDRAM, of which byte %zu was never written", bytes, i);
    }
  }
}

}  // namespace mlucpu
