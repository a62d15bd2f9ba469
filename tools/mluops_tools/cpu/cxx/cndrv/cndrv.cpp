// libcndrv: the driver's answers about the device, and the limits of a context, which belong to one device each.
#include "cn_api.h"

#include <stdlib.h>
#include <string.h>

#include "cnrt.h"
#include "runtime/figures.h"

using namespace mlucpu;

struct CNctxSt {
  int device;
  uint64_t visible = (1u << kClusters) - 1;
  KernelClass limit = CN_KERNEL_CLASS_UNION8;
};

namespace {

CNctxSt contexts[64];

CNcontext current() {
  int device = 0;
  cnrtGetDevice(&device);
  contexts[device].device = device;
  return &contexts[device];
}

int clusters_of(KernelClass type) { return type == CN_KERNEL_CLASS_BLOCK ? 0 : (int)type / kCoresPerCluster; }
int visible_clusters(const CNctxSt &context) { return __builtin_popcountll(context.visible); }

bool may_see(const CNctxSt &context, uint64_t visible) {
  return visible && !(visible >> kClusters) && __builtin_popcountll(visible) >= clusters_of(context.limit);
}

}  // namespace

extern "C" {

CNresult cnCtxGetCurrent(CNcontext *context) {
  *context = current();
  return CN_SUCCESS;
}

CNresult cnCtxGetDevice(CNdev *device) {
  *device = current()->device;
  return CN_SUCCESS;
}

CNresult cnSharedContextAcquire(CNcontext *context, CNdev device) {
  *context = &contexts[device];
  return CN_SUCCESS;
}

CNresult cnQueueGetContext(CNqueue, CNcontext *context) { return cnCtxGetCurrent(context); }

CNresult cnDeviceGetAttribute(int *value, CNdevice_attribute attribute, CNdev) {
  switch (attribute) {
    case CN_DEVICE_ATTRIBUTE_MAX_BLOCK_TASK_DIM_X: *value = kMaxTaskDimX; break;
    case CN_DEVICE_ATTRIBUTE_MAX_CLUSTER_COUNT: *value = kClusters; break;
    case CN_DEVICE_ATTRIBUTE_MAX_CORE_COUNT_PER_CLUSTER: *value = kCoresPerCluster; break;
    case CN_DEVICE_ATTRIBUTE_NRAM_SIZE_PER_CORE: *value = kNramBytes; break;
    case CN_DEVICE_ATTRIBUTE_WEIGHT_RAM_SIZE_PER_CORE: *value = kWramBytes; break;
    case CN_DEVICE_ATTRIBUTE_MAX_SHARED_RAM_SIZE_PER_CLUSTER: *value = kSramBytes; break;
    case CN_DEVICE_ATTRIBUTE_CLUSTER_CLOCK_RATE: *value = kClockKilohertz; break;
    case CN_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE: *value = kMemoryClockKilohertz; break;
    case CN_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH: *value = kMemoryBusBits; break;
    case CN_DEVICE_ATTRIBUTE_MAX_L2_CACHE_SIZE: *value = 48 << 20; break;
    case CN_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE: *value = 0; break;
    case CN_DEVICE_ATTRIBUTE_MLU_ISA_VERSION: *value = kArchitecture; break;
    default: return CN_ERROR_INVALID_VALUE;
  }
  return CN_SUCCESS;
}

CNresult cnDeviceGetName(char *name, int length, CNdev) {
  strncpy(name, kDeviceName, (size_t)length);
  return CN_SUCCESS;
}

CNresult cnGetCtxConfigParam(CNcontext context, CNctxConfigParamType type, CNctxConfigParam *parameter) {
  parameter->visibleCluster = 0;
  switch (type) {
    case CN_CTX_CONFIG_VISIBLE_CLUSTER: parameter->visibleCluster = context->visible; break;
    case CN_CTX_CONFIG_VISIBLE_CLUSTER_NUM: parameter->visibleClusterNumber = visible_clusters(*context); break;
    case CN_CTX_CONFIG_UNION_LIMIT: parameter->unionLimit = context->limit; break;
    default: return CN_ERROR_INVALID_VALUE;
  }
  return CN_SUCCESS;
}

CNresult cnSetCtxConfigParam(CNcontext context, CNctxConfigParamType type, CNctxConfigParam *parameter) {
  if (type == CN_CTX_CONFIG_VISIBLE_CLUSTER && may_see(*context, parameter->visibleCluster)) {
    context->visible = parameter->visibleCluster;
    return CN_SUCCESS;
  }
  if (type == CN_CTX_CONFIG_UNION_LIMIT && clusters_of(parameter->unionLimit) <= visible_clusters(*context)) {
    context->limit = parameter->unionLimit;
    return CN_SUCCESS;
  }
  return CN_ERROR_INVALID_VALUE;
}

CNresult cnGetCtxMaxParallelUnionTasks(CNcontext context, KernelClass type, int *count) {
  int visible = visible_clusters(*context);
  *count = type == CN_KERNEL_CLASS_BLOCK ? visible * kCoresPerCluster : visible / clusters_of(type);
  return CN_SUCCESS;
}

CNresult cnGetLibVersion(int *major, int *minor, int *patch) {
  *major = 2, *minor = 14, *patch = 0;
  return CN_SUCCESS;
}

CNresult cnMallocHost(void **pointer, uint64_t bytes) {
  *pointer = malloc(bytes);
  return *pointer ? CN_SUCCESS : CN_ERROR_INVALID_VALUE;
}

}  // extern "C"
