// The core that runs a task: what a kernel knows of itself, and what it may touch.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <vector>

#include "runtime/variables.h"

namespace mlucpu {

// Bytes that a core may touch. A region holds for one task: an allocation cannot be freed while it runs.
struct Region {
  uintptr_t low;
  size_t size;
  unsigned memory;  // a Memory
};

// Where the pieces of a copy lie at one end: in two dimensions, segments + 1 in each, the strides in bytes.
struct Pieces {
  int64_t stride, segments, stride2, segments2;
  int64_t count() const { return (segments + 1) * (segments2 + 1); }
  int64_t offset(int64_t piece) const { return piece % (segments + 1) * stride + piece / (segments + 1) * stride2; }
};

// A copy that was issued. An asynchronous one may wait until something waits for it.
struct Copy {
  unsigned pipe;
  void (*run)(const Copy &);
  char *target;
  const char *source;
  size_t bytes;             // of a piece
  Pieces to, from;          // of a copy in segments
  const uint32_t *offsets;  // of the pieces of a gather or scatter
  const uint8_t *mask;      // a bit for each of them; null for all
  int64_t stride, count;
};

struct Core {
  int task_id, task_dim, core_id, core_dim, cluster_id, cluster_dim;
  int task_id_x, task_id_y, task_id_z, task_dim_x, task_dim_y, task_dim_z;
  bool memory_core;       // the one core of a cluster that only copies
  unsigned slot;          // which on-chip memory of a core it has
  unsigned cluster_slot;  // which memory of a cluster
  Region recent[4];       // regions touched last, so that most accesses are found at once
  unsigned oldest;        // the one to be replaced next
  bool running;
  uintptr_t stack_low;
  size_t stack_size;
  unsigned epoch_all, epoch_cluster;  // barriers passed, for races
  std::vector<Copy> *pending;
};

// The core that runs on this thread; where none does, one that is not `running`.
extern __thread Core *core __attribute__((tls_model("initial-exec")));

// What the words of BANG C answer; the same as long as a task runs.
#define MLU_OF_CORE(X) \
  X(task_id) X(task_dim) X(task_id_x) X(task_id_y) X(task_id_z) X(task_dim_x) X(task_dim_y) X(task_dim_z) \
  X(core_id) X(core_dim) X(cluster_id) X(cluster_dim)
#define MLU_DECLARE_OF_CORE(name) int name() __attribute__((const));
MLU_OF_CORE(MLU_DECLARE_OF_CORE)

}  // namespace mlucpu
