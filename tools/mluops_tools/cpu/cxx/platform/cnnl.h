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
  CNNL_STATUS_NOT_SUPPORTED = 7,
} cnnlStatus_t;
typedef enum { CNNL_LAYOUT_ARRAY = 4 } cnnlTensorLayout_t;
typedef enum { CNNL_DTYPE_INVALID = 0, CNNL_DTYPE_FLOAT = 2, CNNL_DTYPE_INT32 = 6 } cnnlDataType_t;
typedef enum { CNNL_POINTER_MODE_HOST = 0, CNNL_POINTER_MODE_DEVICE = 1 } cnnlPointerMode_t;
typedef enum { CNNL_UNSORT_REVERSE = 0, CNNL_SORT_ASCEND = 1 } cnnlUniqueSort_t;
typedef enum { CNNL_SCATTERND_ADD = 0 } cnnlScatterNdMode_t;

typedef struct cnnlContext *cnnlHandle_t;
typedef struct cnnlTensorStruct *cnnlTensorDescriptor_t;
typedef struct cnnlTransposeStruct *cnnlTransposeDescriptor_t;
typedef struct cnnlUniqueStruct *cnnlUniqueDescriptor_t;

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

cnnlStatus_t cnnlCopy_v2(cnnlHandle_t handle, cnnlTensorDescriptor_t input, const void *input_data,
                         cnnlTensorDescriptor_t output, void *output_data, void *workspace, size_t workspace_bytes);

cnnlStatus_t cnnlGetTopKTensorWorkspaceSize(cnnlHandle_t handle, cnnlTensorDescriptor_t input, int k, int axis,
                                            bool largest, cnnlTensorDescriptor_t output,
                                            cnnlTensorDescriptor_t index, size_t *bytes);
cnnlStatus_t cnnlTopKTensor_v3(cnnlHandle_t handle, cnnlTensorDescriptor_t input, const void *input_data, int k,
                               int axis, bool largest, bool sorted, bool lower_index_first, void *workspace,
                               size_t workspace_bytes, cnnlTensorDescriptor_t output, void *output_data,
                               cnnlTensorDescriptor_t index, void *index_data);

cnnlStatus_t cnnlCreateUniqueDescriptor(cnnlUniqueDescriptor_t *descriptor);
cnnlStatus_t cnnlDestroyUniqueDescriptor(cnnlUniqueDescriptor_t descriptor);
cnnlStatus_t cnnlSetUniqueDescriptor(cnnlUniqueDescriptor_t descriptor, cnnlUniqueSort_t sort, int axis,
                                     bool inverse, bool counts);
cnnlStatus_t cnnlGetUniqueWorkspaceSize(cnnlHandle_t handle, cnnlUniqueDescriptor_t descriptor,
                                        cnnlTensorDescriptor_t input, size_t *bytes);
cnnlStatus_t cnnlUnique_v2(cnnlHandle_t handle, cnnlUniqueDescriptor_t descriptor, cnnlTensorDescriptor_t input,
                           const void *input_data, void *workspace, size_t workspace_bytes, int *found,
                           cnnlTensorDescriptor_t output, void *output_data, cnnlTensorDescriptor_t inverse,
                           void *inverse_data, cnnlTensorDescriptor_t counts, void *counts_data);

cnnlStatus_t cnnlScatterNd_v2(cnnlHandle_t handle, cnnlScatterNdMode_t mode, cnnlTensorDescriptor_t indices,
                              const void *indices_data, cnnlTensorDescriptor_t updates, const void *updates_data,
                              cnnlTensorDescriptor_t input, const void *input_data, cnnlTensorDescriptor_t output,
                              void *output_data);

#ifdef __cplusplus
}
#endif
