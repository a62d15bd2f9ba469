// The part of the driver's interface that mlu-ops and the binding use, declared from its public documentation.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  CN_SUCCESS = 0,
  CN_ERROR_INVALID_VALUE = 100001,
  CN_OPS_ERROR_NOT_SUPPORTED = 100050,
} CNresult;

typedef enum {
  CN_KERNEL_CLASS_BLOCK = 1,
  CN_KERNEL_CLASS_UNION = 4,
  CN_KERNEL_CLASS_UNION2 = 8,
  CN_KERNEL_CLASS_UNION4 = 16,
  CN_KERNEL_CLASS_UNION8 = 32,
  CN_KERNEL_CLASS_UNION16 = 64,
  CN_KERNEL_CLASS_NONE = 0xFF,
} KernelClass;

typedef enum {
  CN_CTX_CONFIG_VISIBLE_CLUSTER = 0,
  CN_CTX_CONFIG_VISIBLE_CLUSTER_NUM = 1,
  CN_CTX_CONFIG_UNION_LIMIT = 2,
} CNctxConfigParamType;

typedef union {
  uint64_t visibleCluster;
  uint64_t visibleClusterNumber;
  KernelClass unionLimit;
} CNctxConfigParam;

// The values are our own: mlu-ops uses the names alone.
typedef enum {
  CN_DEVICE_ATTRIBUTE_MAX_CLUSTER_COUNT = 1,
  CN_DEVICE_ATTRIBUTE_MAX_CORE_COUNT_PER_CLUSTER,
  CN_DEVICE_ATTRIBUTE_NRAM_SIZE_PER_CORE,
  CN_DEVICE_ATTRIBUTE_WEIGHT_RAM_SIZE_PER_CORE,
  CN_DEVICE_ATTRIBUTE_MAX_SHARED_RAM_SIZE_PER_CLUSTER,
  CN_DEVICE_ATTRIBUTE_CLUSTER_CLOCK_RATE,
  CN_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE,
  CN_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH,
  CN_DEVICE_ATTRIBUTE_MAX_L2_CACHE_SIZE,
  CN_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE,
  CN_DEVICE_ATTRIBUTE_MLU_ISA_VERSION,
  CN_DEVICE_ATTRIBUTE_MAX_BLOCK_TASK_DIM_X,
} CNdevice_attribute;

typedef int CNdev;
typedef int CNdevice;
typedef struct CNctxSt *CNcontext;
typedef struct cnrtQueueSt *CNqueue;

CNresult cnCtxGetCurrent(CNcontext *context);
CNresult cnCtxGetDevice(CNdev *device);
CNresult cnSharedContextAcquire(CNcontext *context, CNdev device);
CNresult cnDeviceGetAttribute(int *value, CNdevice_attribute attribute, CNdev device);
CNresult cnDeviceGetName(char *name, int length, CNdev device);
CNresult cnGetCtxConfigParam(CNcontext context, CNctxConfigParamType type, CNctxConfigParam *parameter);
CNresult cnSetCtxConfigParam(CNcontext context, CNctxConfigParamType type, CNctxConfigParam *parameter);
CNresult cnGetCtxMaxParallelUnionTasks(CNcontext context, KernelClass type, int *count);
CNresult cnQueueGetContext(CNqueue queue, CNcontext *context);
CNresult cnGetLibVersion(int *major, int *minor, int *patch);
CNresult cnMallocHost(void **pointer, uint64_t bytes);

#ifdef __cplusplus
}
#endif
