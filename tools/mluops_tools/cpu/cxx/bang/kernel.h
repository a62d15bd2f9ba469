// What makes a kernel of a C++ function: the words of its declaration, its on-chip variables, and its launch.
#pragma once

#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "cnrt.h"
#include "runtime/access.h"
#include "runtime/core.h"
#include "runtime/launch.h"
#include "runtime/memory.h"

#define __mlu_func__ static __attribute__((unused))
#define __mlu_device__ static __attribute__((unused))
#define __mlu_global__ __attribute__((unused))  // may be launched by another file
#define __mlu_entry__ static __attribute__((unused))
#define __mlu_vector__ static __attribute__((unused))
#define __mlu_builtin__
#define __mlu_const__ static const

// The text of a kernel's name, also of one that a macro makes.
#define MLU_TEXT(...) #__VA_ARGS__

#define taskId (mlucpu::task_id())
#define taskDim (mlucpu::task_dim())
#define taskIdX (mlucpu::task_id_x())
#define taskIdY (mlucpu::task_id_y())
#define taskIdZ (mlucpu::task_id_z())
#define taskDimX (mlucpu::task_dim_x())
#define taskDimY (mlucpu::task_dim_y())
#define taskDimZ (mlucpu::task_dim_z())
#define coreId (mlucpu::core_id())
#define coreDim (mlucpu::core_dim())
#define clusterId (mlucpu::cluster_id())
#define clusterDim (mlucpu::cluster_dim())

namespace mlucpu {
namespace {

// The on-chip variables of this source file.
Unit this_unit __attribute__((init_priority(101)));

}  // namespace

// A variable that each core, or each cluster, has for itself. T is its type, an array as a rule.
template <class T>
class OnChip {
 public:
  // A variable within a function is declared when a kernel first reaches it: nothing of this is the kernel's access.
  MLU_UNCHECKED OnChip(Unit &unit, Memory memory, const char *name, const T *image = nullptr)
      : variable_{name, memory, sizeof(T), image, nullptr, 0} {
    declare_variable(unit, &variable_);
  }

  // Return the one of the running core.
  MLU_UNCHECKED T &here() {
    if (!variable_.storage) map_variable(&variable_);  // another file launched the kernel
    unsigned slot = variable_.memory == kSram ? core->cluster_slot : core->slot;
    return *(T *)(variable_.storage + variable_.stride * slot);
  }

 private:
  Variable variable_;
};

// A kernel's arguments until it runs. A task reads them as constants.
template <class F, class... A>
struct Call {
  F kernel;
  std::tuple<A...> arguments;
  static void enter(const void *self) {
    const Call *call = (const Call *)self;
    std::apply(call->kernel, call->arguments);
  }
};

// Return an argument as the kernel gets it: a device address as the place of its contents.
template <class A>
MLU_UNCHECKED A argument(const char *, A value, bool *) {
  return value;
}
template <class A>
MLU_UNCHECKED A *argument(const char *kernel, A *address, bool *refused) {
  void *at = contents(address);
  if (address && !at) refuse_argument(kernel, (const void *)address), *refused = true;
  return (A *)at;
}

// Enqueue a kernel: what <<<dim, type, queue>>> becomes.
template <class F, class... A>
void launch(Unit &unit, cnrtDim3_t dim, cnrtFunctionType_t type, cnrtQueue_t queue, const char *name, F kernel,
            A... arguments) {
  bool refused = false;
  auto *call = new Call<F, A...>{kernel, std::tuple<A...>(argument(name, arguments, &refused)...)};
  if (refused) return delete call;
  enqueue_kernel(queue, {name, &unit, dim, type, Call<F, A...>::enter, call, sizeof *call}, [call] { delete call; });
}

}  // namespace mlucpu
