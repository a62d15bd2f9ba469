// How the tasks of a kernel run: groups of a union one after another, and the cores of a group as fibers that
// change at barriers. All run on the thread that waits for the queue, so that a debugger sees one program.
#include "runtime/scheduler.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include "runtime/access.h"
#include "runtime/figures.h"
#include "runtime/launch.h"
#include "runtime/options.h"
#include "runtime/shadow.h"
#include "runtime/trap.h"

namespace mlucpu {
namespace {

const size_t kStackBytes = 1 << 20;
const size_t kGuard = 4096;
const int kMemoryCoreId = 0x80;        // what a memory core answers for coreId, above all others
const int kMemoryCoreTaskId = 0x8000;  // and the least that it answers for taskId

enum class Wait { nothing, cluster, cluster_cores, all, all_cores };

struct Fiber {
  ucontext_t context;
  char *stack = nullptr;
  Core core{};
  std::vector<Copy> pending;
  bool done = false;
  Wait wait = Wait::nothing;
  std::string place;  // where it waits, in a deadlock
};

Core idle{};
Fiber fibers[kCoreSlots];
ucontext_t scheduler;
Fiber *current = nullptr;
const Launch *launch_now = nullptr;
std::string failure;
bool asking = false;  // waiting fibers are to tell where they wait

void enter() {
  launch_now->enter(launch_now->call);
  finish_copies(~0u);
  current->done = true;
  swapcontext(&current->context, &scheduler);
  abort();  // a fiber that is done is never resumed
}

void prepare_stack(Fiber &fiber) {
  if (!fiber.stack) {
    void *at = mmap(nullptr, kStackBytes + kGuard, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) {
      perror("libcnrt: a task's stack cannot be mapped");
      abort();
    }
    mprotect(at, kGuard, PROT_NONE);
    fiber.stack = (char *)at + kGuard;
  }
  getcontext(&fiber.context);
  fiber.context.uc_stack.ss_sp = fiber.stack;
  fiber.context.uc_stack.ss_size = kStackBytes;
  fiber.context.uc_link = nullptr;
  makecontext(&fiber.context, enter, 0);
}

int clusters_of(cnrtFunctionType_t type) { return type == cnrtFuncTypeBlock ? 0 : (int)type / kCoresPerCluster; }
int cores_of(cnrtFunctionType_t type) { return type == cnrtFuncTypeBlock ? 1 : kCoresPerCluster; }

void place_task(Core &core, const Launch &launch, int task) {
  int x = (int)launch.dim.x, y = (int)launch.dim.y, z = (int)launch.dim.z;
  core.task_id = task;
  core.task_dim = x * y * z;
  core.task_id_x = task % x, core.task_id_y = task / x % y, core.task_id_z = task / x / y;
  core.task_dim_x = x, core.task_dim_y = y, core.task_dim_z = z;
}

void prepare_core(Fiber &fiber, const Launch &launch, int first_task, int index, bool memory_core) {
  Core &core = fiber.core;
  core = Core{};
  int cores = cores_of(launch.type), cluster = memory_core ? index : index / cores;
  int task = first_task + (memory_core ? cluster * cores : index);
  place_task(core, launch, task);
  if (memory_core) core.task_id += kMemoryCoreTaskId;
  core.memory_core = memory_core;
  core.core_dim = cores;
  core.core_id = memory_core ? kMemoryCoreId : index % cores;
  core.cluster_dim = clusters_of(launch.type);
  core.cluster_id = task / cores;
  core.slot = (unsigned)(&fiber - fibers);
  core.cluster_slot = (unsigned)cluster;
  core.running = true;
  core.stack_low = (uintptr_t)fiber.stack;
  core.stack_size = kStackBytes;
  core.pending = &fiber.pending;
  fiber.pending.clear();
  fiber.done = false;
  fiber.wait = Wait::nothing;
}

// Prepare the fibers of one group, the memory cores last. Returns how many there are.
int prepare_group(const Launch &launch, int first_task, int tasks) {
  int memory_cores = clusters_of(launch.type), count = 0;
  for (int i = 0; i < tasks; i++, count++) {
    prepare_stack(fibers[count]);
    prepare_core(fibers[count], launch, first_task, i, false);
    reset_core_memory(*launch.unit, (unsigned)count);
  }
  for (int cluster = 0; cluster < memory_cores; cluster++, count++) {
    prepare_stack(fibers[count]);
    prepare_core(fibers[count], launch, first_task, cluster, true);
    reset_cluster_memory(*launch.unit, (unsigned)cluster);
  }
  return count;
}

void resume(Fiber &fiber) {
  current = &fiber;
  core = &fiber.core;
  swapcontext(&scheduler, &fiber.context);
  core = &idle;
  if (failure.empty()) current = nullptr;  // else the message names it
}

bool takes_part(const Core &core, Wait wait, unsigned cluster_slot) {
  if (core.memory_core && (wait == Wait::cluster_cores || wait == Wait::all_cores)) return false;
  return wait == Wait::all || wait == Wait::all_cores || core.cluster_slot == cluster_slot;
}

// Let the cores of one barrier go on, if all of them have reached it.
bool release(int count, Wait wait, unsigned cluster_slot) {
  for (int i = 0; i < count; i++) {
    if (takes_part(fibers[i].core, wait, cluster_slot) && fibers[i].wait != wait) return false;
  }
  for (int i = 0; i < count; i++) {
    if (!takes_part(fibers[i].core, wait, cluster_slot)) continue;
    fibers[i].wait = Wait::nothing;
    if (wait == Wait::all || wait == Wait::all_cores) fibers[i].core.epoch_all++;
    fibers[i].core.epoch_cluster++;
  }
  return true;
}

bool release_any(int count) {
  bool any = false;
  for (int i = 0; i < count; i++) {
    if (fibers[i].wait != Wait::nothing) any |= release(count, fibers[i].wait, fibers[i].core.cluster_slot);
  }
  return any;
}

const char *name_of(Wait wait) {
  switch (wait) {
    case Wait::cluster: return "__sync_cluster";
    case Wait::cluster_cores: return "__sync_all_ipu_within_cluster";
    case Wait::all: return "__sync_all";
    default: return "__sync_all_ipu";
  }
}

// Name the cores that wait for each other, each with its place.
void fail_of_deadlock(int count) {
  std::string text = "deadlock: cores wait at barriers that the others do not reach";
  asking = true;
  for (int i = 0; i < count; i++) {
    Fiber &fiber = fibers[i];
    std::string who = fiber.core.memory_core ? "the memory core of cluster " + std::to_string(fiber.core.cluster_id)
                                             : "task " + std::to_string(fiber.core.task_id);
    if (fiber.done) {
      text += "\n  " + who + " has ended";
    } else {
      resume(fiber);
      text += "\n  " + who + " waits in " + name_of(fiber.wait) + ", " + fiber.place;
    }
  }
  asking = false;
  failure = text;
}

void run_group(int count, const std::vector<int> &order) {
  for (;;) {
    bool left = false, ran = false;
    for (int i : order) {
      if (fibers[i].done) continue;
      left = true;
      if (fibers[i].wait != Wait::nothing) continue;
      ran = true;
      resume(fibers[i]);
      if (!failure.empty()) return;
    }
    if (!left) return;
    if (!release_any(count) && !ran) return fail_of_deadlock(count);
  }
}

// Return 0 to count - 1 in the order that the options ask for.
std::vector<int> order_of(int count, std::mt19937_64 &random) {
  std::vector<int> order(count);
  for (int i = 0; i < count; i++) order[i] = options().reversed ? count - 1 - i : i;
  if (options().shuffled) std::shuffle(order.begin(), order.end(), random);
  return order;
}

uint64_t seed_of(const Launch &launch) {
  uint64_t hash = options().seed;
  for (const char *at = launch.kernel; *at; at++) hash = hash * 1099511628211u + (unsigned char)*at;
  return hash;
}

void say_failure(const Launch &launch) {
  const Core &at = current ? current->core : idle;
  std::string who = !current ? "" : at.memory_core ? "the memory core of cluster " + std::to_string(at.cluster_id)
                                                   : "task " + std::to_string(at.task_id);
  fprintf(stderr, "kernel trap: %s%s%s: %s\n", launch.kernel, who.empty() ? "" : ", ", who.c_str(), failure.c_str());
}

}  // namespace

__thread Core *core __attribute__((tls_model("initial-exec"))) = &idle;

#define MLU_DEFINE_OF_CORE(name) int name() { return core->name; }
MLU_OF_CORE(MLU_DEFINE_OF_CORE)

// Turn a division that the processor refuses into a trap.
static void refuse_division(int) {
  if (core->running) trap("divides an integer by 0, or the smallest one by -1");
  signal(SIGFPE, SIG_DFL);  // not a kernel's: the process ends
}

static void catch_divisions() {
  struct sigaction action {};
  action.sa_handler = refuse_division;
  action.sa_flags = SA_NODEFER;
  sigaction(SIGFPE, &action, nullptr);
}

bool run(const Launch &launch) {
  static std::once_flag once;
  std::call_once(once, catch_divisions);
  int tasks = (int)(launch.dim.x * launch.dim.y * launch.dim.z);
  int group = launch.type == cnrtFuncTypeBlock ? 1 : (int)launch.type;
  std::mt19937_64 random(seed_of(launch));
  map_storage(*launch.unit);
  launch_now = &launch;
  failure.clear();
  begin_accesses(launch);
  if (options().races || options().unwritten) begin_shadow(launch);
  for (int index : order_of((tasks + group - 1) / group, random)) {
    int count = prepare_group(launch, index * group, group);
    run_group(count, order_of(count, random));
    if (!failure.empty()) break;
  }
  core = &idle;
  if (failure.empty()) return true;
  say_failure(launch);
  current = nullptr;
  return false;
}

void barrier(bool whole_union, bool with_memory_cores) {
  finish_copies(~0u);
  if (!with_memory_cores && core->memory_core) return;
  if (core->core_dim == 1) return;  // a block is alone
  Fiber &self = *current;
  self.wait = whole_union ? (with_memory_cores ? Wait::all : Wait::all_cores)
                          : (with_memory_cores ? Wait::cluster : Wait::cluster_cores);
  for (;;) {
    swapcontext(&self.context, &scheduler);
    if (!asking) return;
    self.place = place_here();
  }
}

void fail_kernel(const std::string &message) {
  failure = message;
  setcontext(&scheduler);
  abort();
}

void finish_copies(unsigned pipes) {
  auto &pending = *core->pending;
  if (pending.empty()) return;
  std::vector<Copy> left;
  for (const Copy &copy : pending) {
    if (copy.pipe & pipes) {
      copy.run(copy);
    } else {
      left.push_back(copy);
    }
  }
  pending.swap(left);
}

}  // namespace mlucpu
