#include "bang/copy.h"

#include <algorithm>

#include "bang/vectors.h"
#include "runtime/launch.h"
#include "runtime/options.h"
#include "runtime/scheduler.h"
#include "runtime/shadow.h"

namespace mlucpu {
namespace {

enum Pipe : unsigned { kIo = 1, kMove = 2, kCompute = 4 };

struct Route {
  Memory from, to;
};

const Route kRoutes[] = {
    {kGdram, kNram}, {kNram, kGdram}, {kGdram, kGdram}, {kGdram, kSram}, {kSram, kGdram},
    {kGdram, kWram}, {kWram, kGdram}, {kNram, kNram},   {kNram, kSram},  {kSram, kNram},
    {kNram, kWram},  {kWram, kNram},  {kSram, kWram},   {kWram, kSram},  {kSram, kSram},
};

Route route_of(mluMemcpyDirection_t direction) {
  if ((unsigned)direction >= sizeof kRoutes / sizeof *kRoutes) trapf("has the direction %d, which is none", direction);
  return kRoutes[direction];
}

Pipe pipe_of(Route route) {
  if (route.from == kGdram || route.to == kGdram) return kIo;
  return route.from == kNram && route.to == kNram ? kCompute : kMove;
}

// Whether this core takes part: a memory core has neither NRAM nor WRAM.
bool takes_part(Route route) { return !core->memory_core || !((route.from | route.to) & (kNram | kWram)); }

void demand_end(const void *at, int64_t bytes, const Pieces &end, unsigned memory, Access access) {
  int64_t low = std::min<int64_t>(0, end.stride * end.segments) + std::min<int64_t>(0, end.stride2 * end.segments2);
  int64_t high = std::max<int64_t>(0, end.stride * end.segments) + std::max<int64_t>(0, end.stride2 * end.segments2);
  if (options().races || options().unwritten) {  // what is between the pieces is not touched
    for (int64_t i = 0; i < end.count(); i++) check((const char *)at + end.offset(i), bytes, memory, access);
  } else {
    check((const char *)at + low, (size_t)(high - low + bytes), memory, access);
  }
}

// Whether bytes go from on-chip memory to GDRAM, where nobody must have forgotten to write them.
bool leaves_chip(const Copy &c) {
  Region from{}, to{};
  return region_at((uintptr_t)c.source, &from) && region_at((uintptr_t)c.target, &to) && to.memory == kGdram &&
         from.memory != kGdram;
}

void copy_pieces(const Copy &c) {
  if (options().unwritten && leaves_chip(c)) {
    for (int64_t i = 0; i < c.from.count(); i++) demand_written(c.source + c.from.offset(i), c.bytes);
  }
  for (int64_t i = 0, n = c.to.count(); i < n; i++) memmove(c.target + c.to.offset(i), c.source + c.from.offset(i), c.bytes);
}

bool bit(const uint8_t *mask, int64_t i) { return !mask || mask[i / 8] >> i % 8 & 1; }

void gather_pieces(const Copy &c) {
  for (int64_t i = 0; i < c.count; i++) {
    if (bit(c.mask, i)) memcpy(c.target + i * c.stride, c.source + c.offsets[i], c.bytes);
  }
}

void scatter_pieces(const Copy &c) {
  for (int64_t i = 0; i < c.count; i++) {
    if (bit(c.mask, i)) memcpy(c.target + c.offsets[i], c.source + i * c.stride, c.bytes);
  }
}

// Make a copy now, behind those of the same pipe; or leave it for what waits. The vector unit copies within NRAM, in
// the order of its operations.
void issue(const Copy &copy, bool asynchronous) {
  if (asynchronous && copy.pipe != kCompute && options().copies == Copies::late) {
    core->pending->push_back(copy);
    return;
  }
  finish_copies(copy.pipe);
  copy.run(copy);
}

void copy(void *dst, const void *src, int64_t bytes, mluMemcpyDirection_t direction, const Pieces &to, const Pieces &from,
          bool asynchronous) {
  Route route = route_of(direction);
  if (!takes_part(route) || bytes == 0) return;
  demand_count(bytes);
  if (to.segments < 0 || to.segments2 < 0 || to.count() != from.count()) {
    trapf("has %lld pieces to write and %lld to read", (long long)to.count(), (long long)from.count());
  }
  demand_end(src, bytes, from, route.from, Access::read);
  demand_end(dst, bytes, to, route.to, Access::write);
  issue({pipe_of(route), copy_pieces, (char *)dst, (const char *)src, (size_t)bytes, to, from, nullptr, nullptr, 0, 0},
        asynchronous);
}

void copy(void *dst, const void *src, int64_t bytes, mluMemcpyDirection_t direction, int64_t dst_stride,
          int64_t src_stride, int64_t segments, bool asynchronous) {
  if (segments < 0) trapf("takes %lld segments", (long long)segments);
  copy(dst, src, bytes, direction, {dst_stride, segments, 0, 0}, {src_stride, segments, 0, 0}, asynchronous);
}

// Return the pieces of plain bytes at one end: in WRAM each of its parts takes one after another of 64.
Pieces plain_pieces(Memory memory, int64_t bytes) {
  return {memory == kWram ? (int64_t)wram_part_bytes() : bytes, kWramParts - 1, 0, 0};
}

void copy(void *dst, const void *src, int64_t bytes, mluMemcpyDirection_t direction, bool asynchronous) {
  Route route = route_of(direction);
  if ((route.from == kWram) == (route.to == kWram)) return copy(dst, src, bytes, direction, {}, {}, asynchronous);
  if (bytes % kWramParts) trapf("copies %lld bytes, which the %d parts of WRAM cannot share", (long long)bytes, kWramParts);
  int64_t part = bytes / kWramParts;
  copy(dst, src, part, direction, plain_pieces(route.to, part), plain_pieces(route.from, part), asynchronous);
}

enum class Kind { gather, scatter };

void demand_pieces(const Copy &c, Route route, Kind kind) {
  demand_input(c.offsets, c.count);
  if (c.mask) demand_input(c.mask, (c.count + 7) / 8);
  for (int64_t i = 0; i < c.count; i++) {
    if (!bit(c.mask, i)) continue;
    check(c.source + (kind == Kind::gather ? c.offsets[i] : i * c.stride), c.bytes, route.from, Access::read);
    check(c.target + (kind == Kind::gather ? i * c.stride : c.offsets[i]), c.bytes, route.to, Access::write);
  }
}

void move_pieces(void *dst, const void *src, const uint32_t *offsets, const void *mask, uint32_t bytes,
                 mluMemcpyDirection_t direction, int64_t stride, uint32_t count, Kind kind, bool asynchronous) {
  Route route = route_of(direction);
  if (!takes_part(route)) return;
  Copy piece{pipe_of(route), kind == Kind::gather ? gather_pieces : scatter_pieces, (char *)dst, (const char *)src,
             bytes,          Pieces{}, Pieces{}, offsets, (const uint8_t *)mask, stride, count};
  demand_pieces(piece, route, kind);
  issue(piece, asynchronous);
}

template <class T>
void fill(T *dst, int64_t count, T value, Memory memory) {
  if (core->memory_core && memory != kGdram && memory != kSram) return;
  demand_output(dst, count, memory);
  std::fill(dst, dst + count, value);
}

bool is_in(const void *at, Memory memory) {
  Region found{};
  return region_at((uintptr_t)at, &found) && found.memory == memory;
}

}  // namespace
}  // namespace mlucpu

using namespace mlucpu;

#define MLU_DEFINE_COPY(name, asynchronous)                                                                          \
  void name(void *dst, const void *src, int64_t bytes, mluMemcpyDirection_t direction) {                             \
    copy(dst, src, bytes, direction, asynchronous);                                                                  \
  }                                                                                                                  \
  void name(void *dst, const void *src, int64_t bytes, mluMemcpyDirection_t direction, int64_t dst_stride,           \
            int64_t src_stride, int64_t segments) {                                                                  \
    copy(dst, src, bytes, direction, dst_stride, src_stride, segments, asynchronous);                                \
  }                                                                                                                  \
  void name(void *dst, const void *src, int64_t bytes, mluMemcpyDirection_t direction, int64_t dst_stride,           \
            int64_t dst_segments, int64_t dst_stride2, int64_t dst_segments2, int64_t src_stride,                    \
            int64_t src_segments, int64_t src_stride2, int64_t src_segments2) {                                      \
    copy(dst, src, bytes, direction, {dst_stride, dst_segments, dst_stride2, dst_segments2},                         \
         {src_stride, src_segments, src_stride2, src_segments2}, asynchronous);                                      \
  }
MLU_DEFINE_COPY(__memcpy, false)
MLU_DEFINE_COPY(__memcpy_async, true)

void __bang_move(void *dst, const void *src, int64_t bytes) { __memcpy(dst, src, bytes, NRAM2NRAM); }

#define MLU_DEFINE_GATHER(name, kind, asynchronous)                                                                \
  void name(void *dst, const void *src, const uint32_t *offsets, uint32_t bytes, mluMemcpyDirection_t direction,   \
            int64_t stride, uint32_t count) {                                                                      \
    move_pieces(dst, src, offsets, nullptr, bytes, direction, stride, count, kind, asynchronous);                  \
  }                                                                                                                \
  void name(void *dst, const void *src, const uint32_t *offsets, const void *mask, uint32_t bytes,                 \
            mluMemcpyDirection_t direction, int64_t stride, uint32_t count) {                                      \
    move_pieces(dst, src, offsets, mask, bytes, direction, stride, count, kind, asynchronous);                     \
  }
MLU_DEFINE_GATHER(__gather, Kind::gather, false)
MLU_DEFINE_GATHER(__gather_async, Kind::gather, true)
MLU_DEFINE_GATHER(__scatter, Kind::scatter, false)
MLU_DEFINE_GATHER(__scatter_async, Kind::scatter, true)

void __bang_gather_async(void *dst, const void *src, const uint32_t *offsets, const void *mask, uint32_t bytes,
                         int64_t stride, uint32_t count) {
  move_pieces(dst, src, offsets, mask, bytes, GDRAM2NRAM, stride, count, Kind::gather, true);
}

#define MLU_DEFINE_SET(T, _)                                                                            \
  void __memset_nram(T *dst, int64_t count, T value) { fill(dst, count, value, kNram); }                \
  void __nramset(T *dst, int64_t count, T value) { fill(dst, count, value, kNram); }                    \
  void __nramset_async(T *dst, int64_t count, T value, int, int) { fill(dst, count, value, kNram); }    \
  void __gdramset(T *dst, int64_t count, T value) { fill(dst, count, value, kGdram); }                  \
  void __sramset(T *dst, int64_t count, T value) { fill(dst, count, value, kSram); }                    \
  void __bang_write_value(T *dst, int64_t count, T value) { fill(dst, count, value, kNram); }           \
  void __bang_write_zero(T *dst, int64_t count) { fill(dst, count, T(0), kNram); }
BANG_NUMBERS(MLU_DEFINE_SET, )

void __sync() { finish_copies(~0u); }
void __sync_io() { finish_copies(kIo); }
void __sync_move() { finish_copies(kMove); }
void __sync_compute() {}
void __sync_io_move_compute(bool, bool, bool, bool, bool, bool) { finish_copies(~0u); }
void __sync_cluster() { barrier(false, true); }
void __sync_all() { barrier(true, true); }
void __sync_all_ipu() { barrier(true, false); }
void __sync_all_ipu_within_cluster() { barrier(false, false); }

bool __is_mpu() { return core->memory_core; }
bool __is_ipu() { return !core->memory_core; }
bool __is_dram(const void *at) { return is_in(at, kGdram); }
bool __is_nram(const void *at) { return is_in(at, kNram); }
bool __is_sram(const void *at) { return is_in(at, kSram); }

#define MLU_DEFINE_ELEMENT_OF(T, place, memory)                \
  T __load_##place(const T *at) {                              \
    check(at, sizeof(T), memory, Access::read);                \
    return *at;                                                \
  }                                                            \
  void __store_##place(T *at, T value) {                       \
    check(at, sizeof(T), memory, Access::write);               \
    *at = value;                                               \
  }
#define MLU_DEFINE_ELEMENT(T, _)           \
  MLU_DEFINE_ELEMENT_OF(T, gdram, kGdram)  \
  MLU_DEFINE_ELEMENT_OF(T, sram, kSram)    \
  MLU_DEFINE_ELEMENT_OF(T, nram, kNram)
BANG_NUMBERS(MLU_DEFINE_ELEMENT, )
