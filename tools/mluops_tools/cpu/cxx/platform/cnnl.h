// The part of CNNL's interface that mlu-ops calls, declared from its public documentation.
#pragma once

#include "cnrt.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  CNNL_STATUS_SUCCESS = 0,
  CNNL_STATUS_NOT_INITIALIZED,
  CNNL_STATUS_ALLOC_FAILED,
  CNNL_STATUS_BAD_PARAM,
  CNNL_STATUS_INTERNAL_ERROR,
} cnnlStatus_t;
typedef enum { CNNL_LAYOUT_ARRAY = 4 } cnnlTensorLayout_t;
typedef enum { CNNL_DTYPE_INVALID = 0 } cnnlDataType_t;
typedef enum { CNNL_POINTER_MODE_HOST = 0, CNNL_POINTER_MODE_DEVICE = 1 } cnnlPointerMode_t;

typedef struct cnnlContext *cnnlHandle_t;
typedef struct cnnlTensorStruct *cnnlTensorDescriptor_t;
typedef struct cnnlTransposeStruct *cnnlTransposeDescriptor_t;

cnnlStatus_t cnnlCreate(cnnlHandle_t *handle);
cnnlStatus_t cnnlDestroy(cnnlHandle_t handle);
cnnlStatus_t cnnlSetQueue(cnnlHandle_t handle, cnrtQueue_t queue);

cnnlStatus_t cnnlCreateTensorDescriptor(cnnlTensorDescriptor_t *descriptor);
cnnlStatus_t cnnlDestroyTensorDescriptor(cnnlTensorDescriptor_t descriptor);
cnnlStatus_t cnnlSetTensorDescriptor(cnnlTensorDescriptor_t descriptor, cnnlTensorLayout_t layout,
                                     cnnlDataType_t dtype, int dims, const int *sizes);
cnnlStatus_t cnnlSetTensorDescriptorEx(cnnlTensorDescriptor_t descriptor, cnnlTensorLayout_t layout,
                                       cnnlDataType_t dtype, int dims, const int *sizes, const int *strides);
cnnlStatus_t cnnlSetTensorDescriptor_v2(cnnlTensorDescriptor_t descriptor, cnnlTensorLayout_t layout,
                                        cnnlDataType_t dtype, int dims, const int64_t *sizes);
cnnlStatus_t cnnlSetTensorDescriptorEx_v2(cnnlTensorDescriptor_t descriptor, cnnlTensorLayout_t layout,
                                          cnnlDataType_t dtype, int dims, const int64_t *sizes,
                                          const int64_t *strides);

cnnlStatus_t cnnlFill_v3(cnnlHandle_t handle, cnnlPointerMode_t mode, const void *value,
                         cnnlTensorDescriptor_t descriptor, void *output);

cnnlStatus_t cnnlCreateTransposeDescriptor(cnnlTransposeDescriptor_t *descriptor);
cnnlStatus_t cnnlDestroyTransposeDescriptor(cnnlTransposeDescriptor_t descriptor);
cnnlStatus_t cnnlSetTransposeDescriptor(cnnlTransposeDescriptor_t descriptor, int dims, const int *permutation);
cnnlStatus_t cnnlGetTransposeWorkspaceSize(cnnlHandle_t handle, cnnlTensorDescriptor_t input,
                                           cnnlTransposeDescriptor_t descriptor, size_t *bytes);
cnnlStatus_t cnnlTranspose_v2(cnnlHandle_t handle, cnnlTransposeDescriptor_t descriptor, cnnlTensorDescriptor_t input,
                              const void *input_data, cnnlTensorDescriptor_t output, void *output_data,
                              void *workspace, size_t workspace_bytes);

#ifdef __cplusplus
}
#endif
