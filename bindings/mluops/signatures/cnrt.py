"""The functions of cnrt.h that the binding uses, one a line: name, release, result, parameters.

The releases are CNRT's. Names without a suffix came with CNRT 5.0.0; "v6.14.1" is the oldest public header in which the
others were seen.
"""

from __future__ import annotations

from mluops.signatures.function import Function

# fmt: off
FUNCTIONS: tuple[Function, ...] = (
    # memory
    Function("cnrtMalloc", "v5.0.0", "cnrtRet_t", "void** pPtr, size_t bytes"),
    Function("cnrtMallocConstant", "v5.0.0", "cnrtRet_t", "void** pPtr, size_t bytes"),
    Function("cnrtFree", "v5.0.0", "cnrtRet_t", "void* ptr"),
    Function("cnrtHostMalloc", "v5.0.0", "cnrtRet_t", "void** pPtr, size_t bytes"),
    Function("cnrtFreeHost", "v5.0.0", "cnrtRet_t", "void* ptr"),
    Function("cnrtMemcpy", "v5.0.0", "cnrtRet_t", "void* dst, void* src, size_t bytes, cnrtMemTransDir_t dir"),
    Function("cnrtMemcpyAsync", "v5.0.0", "cnrtRet_t", "void* dst, void* src, size_t bytes, cnrtQueue_t queue, cnrtMemTransDir_t dir"),
    Function("cnrtMemcpyAsync_V2", "v6.14.1", "cnrtRet_t", "void* dst, void* src, size_t bytes, cnrtQueue_t queue, cnrtMemTransDir_t dir"),
    Function("cnrtMemcpyAsync_V3", "v6.14.1", "cnrtRet_t", "void* dst, void* src, size_t bytes, cnrtQueue_t queue, cnrtMemTransDir_t dir"),
    Function("cnrtMemset", "v5.0.0", "cnrtRet_t", "void* ptr, int value, size_t bytes"),
    Function("cnrtMemsetAsync", "v5.0.0", "cnrtRet_t", "void* ptr, int value, size_t bytes, cnrtQueue_t queue"),
    Function("cnrtMemGetInfo", "v5.0.0", "cnrtRet_t", "size_t* free, size_t* total"),
    # devices
    Function("cnrtGetDeviceCount", "v5.0.0", "cnrtRet_t", "unsigned int* pCount"),
    Function("cnrtSetDevice", "v5.0.0", "cnrtRet_t", "int ordinal"),
    Function("cnrtGetDevice", "v5.0.0", "cnrtRet_t", "int* pOrdinal"),
    Function("cnrtDeviceGetAttribute", "v5.0.0", "cnrtRet_t", "int* pValue, cnrtDeviceAttr_t attr, int device"),
    Function("cnrtGetDeviceProperties", "v5.0.0", "cnrtRet_t", "cnrtDeviceProp_t* prop, int device"),
    Function("cnrtGetDeviceProperties_V3", "v6.14.1", "cnrtRet_t", "cnrtDeviceProp_t* prop, int device"),
    Function("cnrtDeviceGetPCIBusId", "v5.0.0", "cnrtRet_t", "char* pciBusId, int len, int device"),
    Function("cnrtDeviceReset", "v5.0.0", "cnrtRet_t", ""),
    Function("cnrtSyncDevice", "v5.0.0", "cnrtRet_t", ""),
    # queues
    Function("cnrtQueueCreate", "v5.0.0", "cnrtRet_t", "cnrtQueue_t* pQueue"),
    Function("cnrtQueueDestroy", "v5.0.0", "cnrtRet_t", "cnrtQueue_t queue"),
    Function("cnrtQueueSync", "v5.0.0", "cnrtRet_t", "cnrtQueue_t queue"),
    Function("cnrtQueueQuery", "v5.0.0", "cnrtRet_t", "cnrtQueue_t queue"),
    Function("cnrtQueueWaitNotifier", "v5.0.0", "cnrtRet_t", "cnrtNotifier_t notifier, cnrtQueue_t queue, unsigned int flag"),
    # notifiers; the elapsed time is in milliseconds of the host's clock, the duration in microseconds of the device's
    Function("cnrtNotifierCreate", "v5.0.0", "cnrtRet_t", "cnrtNotifier_t* pNotifier"),
    Function("cnrtNotifierCreateWithFlags", "v5.0.0", "cnrtRet_t", "cnrtNotifier_t* pNotifier, unsigned int flags"),
    Function("cnrtNotifierDestroy", "v5.0.0", "cnrtRet_t", "cnrtNotifier_t notifier"),
    Function("cnrtPlaceNotifier", "v5.0.0", "cnrtRet_t", "cnrtNotifier_t notifier, cnrtQueue_t queue"),
    Function("cnrtWaitNotifier", "v5.0.0", "cnrtRet_t", "cnrtNotifier_t notifier"),
    Function("cnrtQueryNotifier", "v5.0.0", "cnrtRet_t", "cnrtNotifier_t notifier"),
    Function("cnrtNotifierElapsedTime", "v5.0.0", "cnrtRet_t", "cnrtNotifier_t start, cnrtNotifier_t end, float* ms"),
    Function("cnrtNotifierDuration", "v5.0.0", "cnrtRet_t", "cnrtNotifier_t start, cnrtNotifier_t end, float* us"),
    # errors and versions
    Function("cnrtGetErrorName", "v5.0.0", "const char*", "cnrtRet_t err"),
    Function("cnrtGetErrorStr", "v5.0.0", "const char*", "cnrtRet_t err"),
    Function("cnrtGetLastError", "v5.0.0", "cnrtRet_t", ""),
    Function("cnrtPeekAtLastError", "v5.0.0", "cnrtRet_t", ""),
    Function("cnrtGetLibVersion", "v5.0.0", "cnrtRet_t", "int* major, int* minor, int* patch"),
    Function("cnrtDriverGetVersion", "v5.0.0", "cnrtRet_t", "int* major, int* minor, int* patch"),
)
# fmt: on
