// libcnnl: the operators of CNNL that mlu-ops calls, fill and transpose. A transpose needs a workspace here, as it
// may on a device: one of the input's size, which it writes.
#include "cnnl.h"

#include <stdio.h>
#include <string.h>

#include <numeric>
#include <vector>

#include "runtime/launch.h"
#include "runtime/memory.h"

struct cnnlContext {
  cnrtQueue_t queue = nullptr;
};

struct cnnlTensorStruct {
  std::vector<int64_t> sizes;
  int dtype = 0;
  size_t count() const {
    size_t elements = 1;
    for (int64_t size : sizes) elements *= (size_t)size;
    return elements;
  }
  size_t element_bytes() const;
};

struct cnnlTransposeStruct {
  std::vector<int> permutation;
};

namespace {

// Bytes of an element by the number that mlu-ops and CNNL have for its type.
const size_t kBytes[] = {0, 2, 4, 1, 2, 4, 4, 1, 1, 8, 0, 4, 8, 2, 8, 4, 8, 2};

// Return the contents of a tensor; null where its bytes are not within one allocation.
char *tensor_bytes(const void *address, cnnlTensorDescriptor_t tensor, const char *function) {
  char *at = mlucpu::contents(address);
  size_t bytes = tensor->count() * tensor->element_bytes();
  mlucpu::Allocation allocation;
  if (at && mlucpu::find_allocation((uintptr_t)at, &allocation) &&
      bytes <= allocation.size - ((uintptr_t)at - allocation.low)) {
    return at;
  }
  fprintf(stderr, "libcnnl: %s of %zu bytes at %p, which are not within an allocation\n", function, bytes, address);
  return nullptr;
}

cnnlStatus_t describe(cnnlTensorDescriptor_t tensor, cnnlDataType_t dtype, std::vector<int64_t> sizes) {
  tensor->dtype = dtype;
  tensor->sizes = std::move(sizes);
  return CNNL_STATUS_SUCCESS;
}

bool is_permutation(const std::vector<int> &order) {
  std::vector<bool> seen(order.size());
  for (int axis : order) {
    if (axis < 0 || (size_t)axis >= order.size() || seen[axis]) return false;
    seen[axis] = true;
  }
  return true;
}

bool fits(const std::vector<int> &order, const std::vector<int64_t> &from, const std::vector<int64_t> &to) {
  if (order.size() != from.size() || to.size() != from.size()) return false;
  for (size_t axis = 0; axis < order.size(); axis++) {
    if (to[axis] != from[order[axis]]) return false;
  }
  return true;
}

// Return the source's strides, in elements, along the axes of the output.
std::vector<int64_t> strides_along(const std::vector<int> &order, const std::vector<int64_t> &sizes) {
  std::vector<int64_t> strides(sizes.size(), 1), along;
  for (size_t axis = sizes.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * sizes[axis];
  for (int axis : order) along.push_back(strides[axis]);
  return along;
}

void transpose(char *output, const char *input, size_t width, const std::vector<int64_t> &sizes,
               const std::vector<int64_t> &strides) {
  int64_t count = std::accumulate(sizes.begin(), sizes.end(), int64_t(1), std::multiplies<int64_t>());
  std::vector<int64_t> index(sizes.size(), 0);
  int64_t at = 0;
  for (int64_t k = 0; k < count; k++) {
    memcpy(output + k * width, input + at * width, width);
    for (size_t axis = sizes.size(); axis-- > 0;) {
      at += strides[axis];
      if (++index[axis] < sizes[axis]) break;
      at -= strides[axis] * sizes[axis];
      index[axis] = 0;
    }
  }
}

}  // namespace

size_t cnnlTensorStruct::element_bytes() const {
  return dtype >= 0 && (size_t)dtype < sizeof kBytes / sizeof *kBytes ? kBytes[dtype] : 0;
}

extern "C" {

cnnlStatus_t cnnlCreate(cnnlHandle_t *handle) {
  *handle = new cnnlContext;
  return CNNL_STATUS_SUCCESS;
}

cnnlStatus_t cnnlDestroy(cnnlHandle_t handle) {
  delete handle;
  return CNNL_STATUS_SUCCESS;
}

cnnlStatus_t cnnlSetQueue(cnnlHandle_t handle, cnrtQueue_t queue) {
  handle->queue = queue;
  return CNNL_STATUS_SUCCESS;
}

cnnlStatus_t cnnlCreateTensorDescriptor(cnnlTensorDescriptor_t *descriptor) {
  *descriptor = new cnnlTensorStruct;
  return CNNL_STATUS_SUCCESS;
}

cnnlStatus_t cnnlDestroyTensorDescriptor(cnnlTensorDescriptor_t descriptor) {
  delete descriptor;
  return CNNL_STATUS_SUCCESS;
}

cnnlStatus_t cnnlSetTensorDescriptor(cnnlTensorDescriptor_t descriptor, cnnlTensorLayout_t, cnnlDataType_t dtype,
                                     int dims, const int *sizes) {
  return describe(descriptor, dtype, std::vector<int64_t>(sizes, sizes + dims));
}

cnnlStatus_t cnnlSetTensorDescriptorEx(cnnlTensorDescriptor_t descriptor, cnnlTensorLayout_t layout,
                                       cnnlDataType_t dtype, int dims, const int *sizes, const int *) {
  return cnnlSetTensorDescriptor(descriptor, layout, dtype, dims, sizes);
}

cnnlStatus_t cnnlSetTensorDescriptor_v2(cnnlTensorDescriptor_t descriptor, cnnlTensorLayout_t, cnnlDataType_t dtype,
                                        int dims, const int64_t *sizes) {
  return describe(descriptor, dtype, std::vector<int64_t>(sizes, sizes + dims));
}

cnnlStatus_t cnnlSetTensorDescriptorEx_v2(cnnlTensorDescriptor_t descriptor, cnnlTensorLayout_t layout,
                                          cnnlDataType_t dtype, int dims, const int64_t *sizes, const int64_t *) {
  return cnnlSetTensorDescriptor_v2(descriptor, layout, dtype, dims, sizes);
}

cnnlStatus_t cnnlFill_v3(cnnlHandle_t handle, cnnlPointerMode_t mode, const void *value,
                         cnnlTensorDescriptor_t descriptor, void *output) {
  size_t count = descriptor->count(), width = descriptor->element_bytes();
  char *at = tensor_bytes(output, descriptor, __func__);
  const char *from = (const char *)(mode == CNNL_POINTER_MODE_DEVICE ? mlucpu::contents(value) : value);
  if (!at || !from || !width) return CNNL_STATUS_BAD_PARAM;
  std::vector<char> element(from, from + width);
  mlucpu::enqueue(handle->queue, [=] {
    for (size_t i = 0; i < count; i++) memcpy(at + i * width, element.data(), width);
  });
  return CNNL_STATUS_SUCCESS;
}

cnnlStatus_t cnnlCreateTransposeDescriptor(cnnlTransposeDescriptor_t *descriptor) {
  *descriptor = new cnnlTransposeStruct;
  return CNNL_STATUS_SUCCESS;
}

cnnlStatus_t cnnlDestroyTransposeDescriptor(cnnlTransposeDescriptor_t descriptor) {
  delete descriptor;
  return CNNL_STATUS_SUCCESS;
}

cnnlStatus_t cnnlSetTransposeDescriptor(cnnlTransposeDescriptor_t descriptor, int dims, const int *permutation) {
  std::vector<int> order(permutation, permutation + dims);
  if (!is_permutation(order)) return CNNL_STATUS_BAD_PARAM;
  descriptor->permutation = order;
  return CNNL_STATUS_SUCCESS;
}

cnnlStatus_t cnnlGetTransposeWorkspaceSize(cnnlHandle_t, cnnlTensorDescriptor_t input, cnnlTransposeDescriptor_t,
                                           size_t *bytes) {
  *bytes = input->count() * input->element_bytes();
  return CNNL_STATUS_SUCCESS;
}

cnnlStatus_t cnnlTranspose_v2(cnnlHandle_t handle, cnnlTransposeDescriptor_t descriptor, cnnlTensorDescriptor_t input,
                              const void *input_data, cnnlTensorDescriptor_t output, void *output_data,
                              void *workspace, size_t workspace_bytes) {
  size_t width = input->element_bytes(), bytes = input->count() * width;
  if (!width || workspace_bytes < bytes || !fits(descriptor->permutation, input->sizes, output->sizes)) {
    return CNNL_STATUS_BAD_PARAM;
  }
  const char *from = tensor_bytes(input_data, input, __func__);
  char *to = tensor_bytes(output_data, output, __func__), *between = tensor_bytes(workspace, input, __func__);
  if (!from || !to || !between) return CNNL_STATUS_BAD_PARAM;
  auto sizes = output->sizes, strides = strides_along(descriptor->permutation, input->sizes);
  mlucpu::enqueue(handle->queue, [=] {
    memmove(between, from, bytes);
    transpose(to, between, width, sizes, strides);
  });
  return CNNL_STATUS_SUCCESS;
}

}  // extern "C"
