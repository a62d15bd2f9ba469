// The part of CNRT's interface that mlu-ops and the binding use, declared from its public documentation.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  cnrtSuccess = 0,
  cnrtErrorNotReady = 1,
  cnrtErrorInit = 100002,
  cnrtErrorNoDevice = 100004,
  cnrtErrorDeviceInvalid = 100005,
  cnrtErrorArgsInvalid = 100006,
  cnrtErrorSys = 100007,
  cnrtErrorInvalidResourceHandle = 100014,
  cnrtErrorNotSupport = 100050,
  cnrtErrorNoMem = 100100,
  cnrtErrorKernelTrap = 100132,
  cnrtErrorNoAttribute = 632009,
  cnrtErrorBusy = 632014,
  cnrtErrorInvalidSymbol = 632100,
  cnrtErrorUnknown = 999991,
} cnrtRet_t;

typedef enum {
  cnrtMemcpyHostToDev = 0,
  cnrtMemcpyDevToDev = 1,
  cnrtMemcpyDevToHost = 2,
  cnrtMemcpyHostToHost = 3,
  cnrtMemcpyPeerToPeer = 4,
  cnrtMemcpyNoDirection = 5,
} cnrtMemTransDir_t;

typedef enum {
  cnrtFuncTypeBlock = 1,
  cnrtFuncTypeUnion1 = 4,
  cnrtFuncTypeUnion2 = 8,
  cnrtFuncTypeUnion4 = 16,
  cnrtFuncTypeUnion8 = 32,
  cnrtFuncTypeUnion16 = 64,
  cnrtFuncTypeMutable,
} cnrtFunctionType_t;

typedef enum { cnrtMemTypeUnregistered, cnrtMemTypeHost, cnrtMemTypeDevice } cnrtMemType_t;

typedef enum {
  cnrtDouble = 0x01,
  cnrtFloat = 0x02,
  cnrtHalf = 0x03,
  cnrtBfloat = 0x04,
} cnrtDataType_V2_t;

typedef enum {
  cnrtRounding_rn = 0,
  cnrtRounding_rz = 1,
  cnrtRounding_rd = 2,
  cnrtRounding_ru = 3,
  cnrtRounding_ro = 4,
  cnrtRounding_rm = 5,
} cnrtRoundingMode_t;

typedef struct {
  unsigned int x, y, z;
} cnrtDim3_t;

typedef struct {
  cnrtMemType_t type;
  int deviceId;
  void *hostPointer, *devicePointer;
} cnrtPointerAttributes_t;

typedef struct cnrtQueueSt *cnrtQueue_t;
typedef struct cnrtNotifierSt *cnrtNotifier_t;
typedef int cnrtDeviceAttr_t;

cnrtRet_t cnrtMalloc(void **pointer, size_t bytes);
cnrtRet_t cnrtMallocConstant(void **pointer, size_t bytes);
cnrtRet_t cnrtFree(void *pointer);
cnrtRet_t cnrtHostMalloc(void **pointer, size_t bytes);
cnrtRet_t cnrtFreeHost(void *pointer);
cnrtRet_t cnrtMemcpy(void *target, void *source, size_t bytes, cnrtMemTransDir_t direction);
cnrtRet_t cnrtMemcpyAsync(void *target, void *source, size_t bytes, cnrtQueue_t queue, cnrtMemTransDir_t direction);
cnrtRet_t cnrtMemcpyAsync_V2(void *target, void *source, size_t bytes, cnrtQueue_t queue, cnrtMemTransDir_t direction);
cnrtRet_t cnrtMemcpyAsync_V3(void *target, void *source, size_t bytes, cnrtQueue_t queue, cnrtMemTransDir_t direction);
cnrtRet_t cnrtMemset(void *pointer, int value, size_t bytes);
cnrtRet_t cnrtMemsetAsync(void *pointer, int value, size_t bytes, cnrtQueue_t queue);
cnrtRet_t cnrtMemGetInfo(size_t *free, size_t *total);
cnrtRet_t cnrtPointerGetAttributes(cnrtPointerAttributes_t *attributes, void *pointer);

cnrtRet_t cnrtGetDeviceCount(unsigned int *count);
cnrtRet_t cnrtSetDevice(int ordinal);
cnrtRet_t cnrtGetDevice(int *ordinal);
cnrtRet_t cnrtDeviceGetAttribute(int *value, cnrtDeviceAttr_t attribute, int ordinal);
cnrtRet_t cnrtGetDeviceProperties_V3(void *properties, int ordinal);
cnrtRet_t cnrtDeviceGetPCIBusId(char *text, int length, int ordinal);
cnrtRet_t cnrtDeviceReset(void);
cnrtRet_t cnrtSyncDevice(void);

cnrtRet_t cnrtQueueCreate(cnrtQueue_t *queue);
cnrtRet_t cnrtQueueDestroy(cnrtQueue_t queue);
cnrtRet_t cnrtQueueSync(cnrtQueue_t queue);
cnrtRet_t cnrtQueueQuery(cnrtQueue_t queue);
cnrtRet_t cnrtQueueWaitNotifier(cnrtNotifier_t notifier, cnrtQueue_t queue, unsigned int flag);

cnrtRet_t cnrtNotifierCreate(cnrtNotifier_t *notifier);
cnrtRet_t cnrtNotifierCreateWithFlags(cnrtNotifier_t *notifier, unsigned int flags);
cnrtRet_t cnrtNotifierDestroy(cnrtNotifier_t notifier);
cnrtRet_t cnrtPlaceNotifier(cnrtNotifier_t notifier, cnrtQueue_t queue);
cnrtRet_t cnrtWaitNotifier(cnrtNotifier_t notifier);
cnrtRet_t cnrtQueryNotifier(cnrtNotifier_t notifier);
cnrtRet_t cnrtNotifierElapsedTime(cnrtNotifier_t start, cnrtNotifier_t end, float *milliseconds);
cnrtRet_t cnrtNotifierDuration(cnrtNotifier_t start, cnrtNotifier_t end, float *microseconds);

const char *cnrtGetErrorName(cnrtRet_t status);
const char *cnrtGetErrorStr(cnrtRet_t status);
cnrtRet_t cnrtGetLastError(void);
cnrtRet_t cnrtPeekAtLastError(void);
cnrtRet_t cnrtGetLibVersion(int *major, int *minor, int *patch);
cnrtRet_t cnrtDriverGetVersion(int *major, int *minor, int *patch);
cnrtRet_t cnrtCastDataType_V2(void *source, cnrtDataType_V2_t from, void *target, cnrtDataType_V2_t to, int count,
                              void *parameters, cnrtRoundingMode_t rounding);

#ifdef __cplusplus
}
#endif

// End the process where a call of CNRT fails.
#define CNRT_CHECK(call)                                                                     \
  do {                                                                                       \
    cnrtRet_t cnrt_status = (call);                                                          \
    if (cnrt_status != cnrtSuccess) {                                                        \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cnrtGetErrorStr(cnrt_status));      \
      exit(EXIT_FAILURE);                                                                    \
    }                                                                                        \
  } while (0)
