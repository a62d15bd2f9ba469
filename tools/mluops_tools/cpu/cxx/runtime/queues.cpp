#include "runtime/queues.h"

#include <stdio.h>

#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <set>

#include "runtime/launch.h"
#include "runtime/options.h"

namespace {

std::recursive_mutex device_mutex;  // one piece of work of the process at a time
std::mutex queues_mutex;
std::set<cnrtQueue_t> queues;
bool trapped = false;  // under device_mutex
thread_local cnrtRet_t last_error = cnrtSuccess;

double microseconds() {
  auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::micro>(now).count();
}

}  // namespace

struct cnrtQueueSt {
  std::deque<std::function<void()>> work;
  std::mutex mutex;

  void push(std::function<void()> piece) {
    std::unique_lock<std::mutex> lock(mutex);
    work.push_back(std::move(piece));
    lock.unlock();
    if (mlucpu::options().eager) drain();
  }

  void drain() {
    std::lock_guard<std::recursive_mutex> device(device_mutex);
    for (;;) {
      std::unique_lock<std::mutex> lock(mutex);
      if (work.empty()) return;
      std::function<void()> piece = std::move(work.front());
      work.pop_front();
      lock.unlock();
      if (!trapped) piece();
    }
  }

  bool busy() {
    std::lock_guard<std::mutex> lock(mutex);
    return !work.empty();
  }
};

namespace {

struct Placement {
  double reached_at = 0;
  bool reached = false;
  cnrtQueue_t queue = nullptr;  // null until placed
};

cnrtQueue_t default_queue() {
  static cnrtQueue_t only = new cnrtQueueSt;
  return only;
}

bool is_default(cnrtQueue_t queue) { return (uintptr_t)queue <= 2; }  // NULL, and CNRT's two named ones

// Return the queue; null where there is none.
cnrtQueue_t found(cnrtQueue_t queue, const char *asking) {
  if (is_default(queue)) return default_queue();
  std::lock_guard<std::mutex> lock(queues_mutex);
  if (queues.count(queue)) return queue;
  fprintf(stderr, "libcnrt: %s of a queue that does not exist\n", asking);
  mlucpu::noted(cnrtErrorInvalidResourceHandle);
  return nullptr;
}

}  // namespace

struct cnrtNotifierSt {
  std::shared_ptr<Placement> placement = std::make_shared<Placement>();
};

namespace mlucpu {

cnrtRet_t noted(cnrtRet_t status) {
  if (status != cnrtSuccess) last_error = status;
  return status;
}

void set_last_error(cnrtRet_t status) { last_error = status; }

cnrtRet_t health() {
  std::lock_guard<std::recursive_mutex> device(device_mutex);
  return trapped ? noted(cnrtErrorKernelTrap) : cnrtSuccess;
}

void drain_default() { default_queue()->drain(); }

void drain_all() {
  drain_default();
  std::set<cnrtQueue_t> all;
  {
    std::lock_guard<std::mutex> lock(queues_mutex);
    all = queues;
  }
  for (cnrtQueue_t queue : all) queue->drain();
}

void enqueue(cnrtQueue_t queue, std::function<void()> work) {
  cnrtQueue_t into = found(queue, "work");
  if (into) into->push(std::move(work));
}

void enqueue_kernel(cnrtQueue_t queue, const Launch &launch, std::function<void()> destroy) {
  unsigned tasks = launch.dim.x * launch.dim.y * launch.dim.z;
  bool known = launch.type == cnrtFuncTypeBlock || (launch.type % 4 == 0 && launch.type <= cnrtFuncTypeUnion16);
  if (known && !tasks) {
    fprintf(stderr, "libcnrt: %s is launched with no tasks: nothing happens\n", launch.kernel);
    return destroy();
  }
  if (!known || tasks % (launch.type == cnrtFuncTypeBlock ? 1 : launch.type)) {
    fprintf(stderr, "libcnrt: %s is launched with %u tasks of type %d\n", launch.kernel, tasks, (int)launch.type);
    noted(cnrtErrorArgsInvalid);
    return destroy();
  }
  enqueue(queue, [launch, destroy] {
    if (!run(launch)) trapped = true;
    destroy();
  });
}

void refuse_argument(const char *kernel, const void *address) {
  fprintf(stderr, "libcnrt: %s was given %p, which is no device address\n", kernel, address);
  noted(cnrtErrorArgsInvalid);
}

}  // namespace mlucpu

using mlucpu::health;
using mlucpu::noted;

extern "C" {

cnrtRet_t cnrtQueueCreate(cnrtQueue_t *queue) {
  if (health() != cnrtSuccess) return health();
  *queue = new cnrtQueueSt;
  std::lock_guard<std::mutex> lock(queues_mutex);
  queues.insert(*queue);
  return cnrtSuccess;
}

cnrtRet_t cnrtQueueDestroy(cnrtQueue_t queue) {
  if (is_default(queue) || !found(queue, __func__)) return noted(cnrtErrorInvalidResourceHandle);
  queue->drain();
  {
    std::lock_guard<std::mutex> lock(queues_mutex);
    queues.erase(queue);
  }
  delete queue;
  return cnrtSuccess;
}

cnrtRet_t cnrtQueueSync(cnrtQueue_t queue) {
  cnrtQueue_t waited_for = found(queue, __func__);
  if (!waited_for) return cnrtErrorInvalidResourceHandle;
  waited_for->drain();
  return health();
}

// Answers busy once, and has done the work when it is asked again.
cnrtRet_t cnrtQueueQuery(cnrtQueue_t queue) {
  cnrtQueue_t asked = found(queue, __func__);
  if (!asked) return cnrtErrorInvalidResourceHandle;
  bool busy = asked->busy();
  asked->drain();
  return health() != cnrtSuccess ? cnrtErrorKernelTrap : busy ? cnrtErrorBusy : cnrtSuccess;
}

cnrtRet_t cnrtSyncDevice(void) {
  mlucpu::drain_all();
  return health();
}

cnrtRet_t cnrtDeviceReset(void) { return cnrtSyncDevice(); }

cnrtRet_t cnrtNotifierCreate(cnrtNotifier_t *notifier) {
  *notifier = new cnrtNotifierSt;
  return cnrtSuccess;
}

cnrtRet_t cnrtNotifierCreateWithFlags(cnrtNotifier_t *notifier, unsigned int) { return cnrtNotifierCreate(notifier); }

cnrtRet_t cnrtNotifierDestroy(cnrtNotifier_t notifier) {
  delete notifier;
  return cnrtSuccess;
}

cnrtRet_t cnrtPlaceNotifier(cnrtNotifier_t notifier, cnrtQueue_t queue) {
  cnrtQueue_t into = found(queue, __func__);
  if (!into) return cnrtErrorInvalidResourceHandle;
  auto placement = notifier->placement = std::make_shared<Placement>();
  placement->queue = into;
  into->push([placement] {
    placement->reached_at = microseconds();
    placement->reached = true;
  });
  return cnrtSuccess;
}

static void reach(const Placement &placement) {
  if (placement.queue && !placement.reached) placement.queue->drain();
}

cnrtRet_t cnrtWaitNotifier(cnrtNotifier_t notifier) {
  reach(*notifier->placement);
  return health();
}

cnrtRet_t cnrtQueueWaitNotifier(cnrtNotifier_t notifier, cnrtQueue_t queue, unsigned int) {
  cnrtQueue_t waiting = found(queue, __func__);
  if (!waiting) return cnrtErrorInvalidResourceHandle;
  auto placement = notifier->placement;
  waiting->push([placement] { reach(*placement); });
  return cnrtSuccess;
}

cnrtRet_t cnrtQueryNotifier(cnrtNotifier_t notifier) {
  auto placement = notifier->placement;
  if (!placement->queue || placement->reached) return cnrtSuccess;
  reach(*placement);
  return cnrtErrorBusy;
}

static cnrtRet_t between(cnrtNotifier_t start, cnrtNotifier_t end, float *time, double unit) {
  const Placement &from = *start->placement, &to = *end->placement;
  if (!from.queue || !to.queue) return noted(cnrtErrorArgsInvalid);
  if (!from.reached || !to.reached) return noted(cnrtErrorNotReady);
  *time = (float)((to.reached_at - from.reached_at) / unit);
  return cnrtSuccess;
}

cnrtRet_t cnrtNotifierElapsedTime(cnrtNotifier_t start, cnrtNotifier_t end, float *milliseconds) {
  return between(start, end, milliseconds, 1000);
}

cnrtRet_t cnrtNotifierDuration(cnrtNotifier_t start, cnrtNotifier_t end, float *time) {
  return between(start, end, time, 1);
}

cnrtRet_t cnrtGetLastError(void) {
  cnrtRet_t status = last_error;
  last_error = cnrtSuccess;
  return status;
}

cnrtRet_t cnrtPeekAtLastError(void) { return last_error; }

}  // extern "C"
