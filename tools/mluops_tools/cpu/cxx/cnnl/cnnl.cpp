// libcnnl: operators of CNNL that mlu-ops calls. A workspace has the input's size here, and is written, as it may be
// on a device.
#include "cnnl.h"

#include <stdio.h>
#include <string.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "runtime/launch.h"
#include "runtime/memory.h"

struct cnnlContext {
  cnrtQueue_t queue = nullptr;
};

typedef std::vector<int64_t> Sizes;

struct cnnlTensorStruct {
  Sizes sizes, strides;  // in elements
  int dtype = 0;
  size_t count() const {
    size_t elements = 1;
    for (int64_t size : sizes) elements *= (size_t)size;
    return elements;
  }
  size_t element_bytes() const;
  size_t bytes() const { return count() * element_bytes(); }
  // Bytes from the first element to the end of the last one.
  size_t extent() const {
    size_t last = 0;
    for (size_t axis = 0; axis < sizes.size(); axis++) last += (size_t)((sizes[axis] - 1) * strides[axis]);
    return count() ? (last + 1) * element_bytes() : 0;
  }
};

struct cnnlTransposeStruct {
  std::vector<int> permutation;
};

struct cnnlUniqueStruct {
  bool supported = false;
};

namespace {

// Bytes of an element by the number that mlu-ops and CNNL have for its type.
const size_t kBytes[] = {0, 2, 4, 1, 2, 4, 4, 1, 1, 8, 0, 4, 8, 2, 8, 4, 8, 2};

// Return the contents of a tensor; null where its bytes are not within one allocation.
char *tensor_bytes(const void *address, cnnlTensorDescriptor_t tensor, const char *function) {
  char *at = mlucpu::contents(address);
  size_t bytes = tensor->extent();
  mlucpu::Allocation allocation;
  if (at && mlucpu::find_allocation((uintptr_t)at, &allocation) &&
      bytes <= allocation.size - ((uintptr_t)at - allocation.low)) {
    return at;
  }
  fprintf(stderr, "libcnnl: %s of %zu bytes at %p, which are not within an allocation\n", function, bytes, address);
  return nullptr;
}

Sizes dense_strides(const Sizes &sizes) {
  Sizes strides(sizes.size(), 1);
  for (size_t axis = sizes.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * sizes[axis];
  return strides;
}

cnnlStatus_t describe(cnnlTensorDescriptor_t tensor, cnnlDataType_t dtype, Sizes sizes, Sizes strides) {
  tensor->dtype = dtype;
  tensor->sizes = std::move(sizes);
  tensor->strides = std::move(strides);
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

bool fits(const std::vector<int> &order, const Sizes &from, const Sizes &to) {
  if (order.size() != from.size() || to.size() != from.size()) return false;
  for (size_t axis = 0; axis < order.size(); axis++) {
    if (to[axis] != from[order[axis]]) return false;
  }
  return true;
}

// Copy elements of `width` bytes, each end at its own strides.
void copy(char *to, Sizes to_strides, const char *from, Sizes from_strides, Sizes sizes, size_t width) {
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) return;
  int64_t inner = sizes.empty() ? 1 : sizes.back(), to_step = 0, from_step = 0;
  if (!sizes.empty()) {
    to_step = to_strides.back() * (int64_t)width, from_step = from_strides.back() * (int64_t)width;
    sizes.pop_back();
  }
  Sizes index(sizes.size(), 0);
  int64_t to_at = 0, from_at = 0;
  for (size_t axis = 0; axis != (size_t)-1;) {
    for (int64_t i = 0; i < inner; i++) {
      memcpy(to + to_at * (int64_t)width + i * to_step, from + from_at * (int64_t)width + i * from_step, width);
    }
    for (axis = sizes.size(); axis-- > 0;) {
      to_at += to_strides[axis], from_at += from_strides[axis];
      if (++index[axis] < sizes[axis]) break;
      to_at -= to_strides[axis] * sizes[axis], from_at -= from_strides[axis] * sizes[axis];
      index[axis] = 0;
    }
  }
}

// Write a row's `k` largest or smallest values, in order, and their indices. Of equal values, the first comes first.
void top(float *values, int32_t *indices, const float *row, int64_t count, int k, bool largest) {
  std::vector<int32_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  auto before = [=](int32_t a, int32_t b) {
    bool nan = row[a] != row[a], other_nan = row[b] != row[b];
    if (nan || other_nan) return largest ? nan > other_nan : nan < other_nan;
    return largest ? row[a] > row[b] : row[a] < row[b];
  };
  std::stable_sort(order.begin(), order.end(), before);
  for (int i = 0; i < k; i++) values[i] = row[order[i]], indices[i] = order[i];
}

// Write the rows that differ, in ascending order; for each row of the input the number of its like, and for each that
// is written the number of its likes. Return how many there are.
int unique_rows(int32_t *output, int32_t *inverse, int32_t *counts, const int32_t *rows, int64_t count, int64_t width) {
  std::vector<int32_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  auto row = [=](int32_t i) { return rows + i * width; };
  std::sort(order.begin(), order.end(), [=](int32_t a, int32_t b) {
    return std::lexicographical_compare(row(a), row(a) + width, row(b), row(b) + width);
  });
  int found = 0;
  for (int64_t k = 0; k < count; k++) {
    if (k == 0 || !std::equal(row(order[k]), row(order[k]) + width, row(order[k - 1]))) {
      std::copy(row(order[k]), row(order[k]) + width, output + found * width);
      counts[found++] = 0;
    }
    counts[found - 1]++;
    inverse[order[k]] = found - 1;
  }
  return found;
}

// Add slices to those of the output that the rows of indices name; what is outside is passed over.
void scatter_add(float *output, const Sizes &sizes, const int32_t *indices, int64_t rows, size_t depth,
                 const float *updates) {
  Sizes strides = dense_strides(sizes);
  int64_t slice = strides[depth - 1];
  for (int64_t i = 0; i < rows; i++, indices += depth) {
    int64_t at = 0;
    bool inside = true;
    for (size_t axis = 0; axis < depth; axis++) {
      inside = inside && indices[axis] >= 0 && indices[axis] < sizes[axis];
      at += indices[axis] * strides[axis];
    }
    for (int64_t k = 0; inside && k < slice; k++) output[at + k] += updates[i * slice + k];
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
  return describe(descriptor, dtype, Sizes(sizes, sizes + dims), dense_strides(Sizes(sizes, sizes + dims)));
}

cnnlStatus_t cnnlSetTensorDescriptorEx(cnnlTensorDescriptor_t descriptor, cnnlTensorLayout_t, cnnlDataType_t dtype,
                                       int dims, const int *sizes, const int *strides) {
  return describe(descriptor, dtype, Sizes(sizes, sizes + dims), Sizes(strides, strides + dims));
}

cnnlStatus_t cnnlSetTensorDescriptor_v2(cnnlTensorDescriptor_t descriptor, cnnlTensorLayout_t, cnnlDataType_t dtype,
                                        int dims, const int64_t *sizes) {
  return describe(descriptor, dtype, Sizes(sizes, sizes + dims), dense_strides(Sizes(sizes, sizes + dims)));
}

cnnlStatus_t cnnlSetTensorDescriptorEx_v2(cnnlTensorDescriptor_t descriptor, cnnlTensorLayout_t, cnnlDataType_t dtype,
                                          int dims, const int64_t *sizes, const int64_t *strides) {
  return describe(descriptor, dtype, Sizes(sizes, sizes + dims), Sizes(strides, strides + dims));
}

cnnlStatus_t cnnlFill_v3(cnnlHandle_t handle, cnnlPointerMode_t mode, const void *value,
                         cnnlTensorDescriptor_t descriptor, void *output) {
  size_t width = descriptor->element_bytes();
  char *at = tensor_bytes(output, descriptor, __func__);
  const char *from = (const char *)(mode == CNNL_POINTER_MODE_DEVICE ? mlucpu::contents(value) : value);
  if (!at || !from || !width) return CNNL_STATUS_BAD_PARAM;
  std::vector<char> element(from, from + width);
  Sizes sizes = descriptor->sizes, strides = descriptor->strides, nowhere(sizes.size(), 0);
  mlucpu::enqueue(handle->queue, [=] { copy(at, strides, element.data(), nowhere, sizes, width); });
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
  *bytes = input->bytes();
  return CNNL_STATUS_SUCCESS;
}

cnnlStatus_t cnnlTranspose_v2(cnnlHandle_t handle, cnnlTransposeDescriptor_t descriptor, cnnlTensorDescriptor_t input,
                              const void *input_data, cnnlTensorDescriptor_t output, void *output_data,
                              void *workspace, size_t workspace_bytes) {
  size_t width = input->element_bytes(), bytes = input->bytes();
  if (!width || workspace_bytes < bytes || !fits(descriptor->permutation, input->sizes, output->sizes)) {
    return CNNL_STATUS_BAD_PARAM;
  }
  cnnlTensorStruct dense;
  describe(&dense, (cnnlDataType_t)input->dtype, input->sizes, dense_strides(input->sizes));
  const char *from = tensor_bytes(input_data, input, __func__);
  char *to = tensor_bytes(output_data, output, __func__), *between = tensor_bytes(workspace, &dense, __func__);
  if (!from || !to || !between) return CNNL_STATUS_BAD_PARAM;
  Sizes strides = input->strides, to_strides = output->strides, sizes = output->sizes, along;
  for (int axis : descriptor->permutation) along.push_back(dense.strides[axis]);
  mlucpu::enqueue(handle->queue, [=] {
    copy(between, dense.strides, from, strides, dense.sizes, width);
    copy(to, to_strides, between, along, sizes, width);
  });
  return CNNL_STATUS_SUCCESS;
}

cnnlStatus_t cnnlCopy_v2(cnnlHandle_t handle, cnnlTensorDescriptor_t input, const void *input_data,
                         cnnlTensorDescriptor_t output, void *output_data, void *, size_t) {
  if (input->sizes != output->sizes || input->dtype != output->dtype) return CNNL_STATUS_BAD_PARAM;
  const char *from = tensor_bytes(input_data, input, __func__);
  char *to = tensor_bytes(output_data, output, __func__);
  size_t width = input->element_bytes();
  if (!from || !to || !width) return CNNL_STATUS_BAD_PARAM;
  Sizes sizes = input->sizes, strides = input->strides, to_strides = output->strides;
  mlucpu::enqueue(handle->queue, [=] { copy(to, to_strides, from, strides, sizes, width); });
  return CNNL_STATUS_SUCCESS;
}

cnnlStatus_t cnnlGetTopKTensorWorkspaceSize(cnnlHandle_t, cnnlTensorDescriptor_t input, int, int, bool,
                                            cnnlTensorDescriptor_t, cnnlTensorDescriptor_t, size_t *bytes) {
  *bytes = input->bytes();
  return CNNL_STATUS_SUCCESS;
}

cnnlStatus_t cnnlTopKTensor_v3(cnnlHandle_t handle, cnnlTensorDescriptor_t input, const void *input_data, int k,
                               int axis, bool largest, bool, bool, void *workspace, size_t workspace_bytes,
                               cnnlTensorDescriptor_t output, void *output_data, cnnlTensorDescriptor_t index,
                               void *index_data) {
  if (input->dtype != CNNL_DTYPE_FLOAT || index->dtype != CNNL_DTYPE_INT32 ||
      axis != (int)input->sizes.size() - 1) {
    return CNNL_STATUS_NOT_SUPPORTED;
  }
  int64_t count = input->sizes.back(), rows = count ? (int64_t)input->count() / count : 0;
  const char *from = tensor_bytes(input_data, input, __func__);
  char *between = tensor_bytes(workspace, input, __func__);
  float *values = (float *)tensor_bytes(output_data, output, __func__);
  int32_t *indices = (int32_t *)tensor_bytes(index_data, index, __func__);
  size_t bytes = input->bytes(), written = (size_t)(rows * k);
  if (!from || !between || !values || !indices || workspace_bytes < bytes || k < 0 || k > count ||
      output->count() < written || index->count() < written) {
    return CNNL_STATUS_BAD_PARAM;
  }
  mlucpu::enqueue(handle->queue, [=] {
    memmove(between, from, bytes);
    for (int64_t row = 0; row < rows; row++) {
      top(values + row * k, indices + row * k, (const float *)between + row * count, count, k, largest);
    }
  });
  return CNNL_STATUS_SUCCESS;
}

cnnlStatus_t cnnlCreateUniqueDescriptor(cnnlUniqueDescriptor_t *descriptor) {
  *descriptor = new cnnlUniqueStruct;
  return CNNL_STATUS_SUCCESS;
}

cnnlStatus_t cnnlDestroyUniqueDescriptor(cnnlUniqueDescriptor_t descriptor) {
  delete descriptor;
  return CNNL_STATUS_SUCCESS;
}

cnnlStatus_t cnnlSetUniqueDescriptor(cnnlUniqueDescriptor_t descriptor, cnnlUniqueSort_t sort, int axis,
                                     bool inverse, bool counts) {
  descriptor->supported = sort == CNNL_SORT_ASCEND && axis == 0 && inverse && counts;
  return descriptor->supported ? CNNL_STATUS_SUCCESS : CNNL_STATUS_NOT_SUPPORTED;
}

cnnlStatus_t cnnlGetUniqueWorkspaceSize(cnnlHandle_t, cnnlUniqueDescriptor_t, cnnlTensorDescriptor_t input,
                                        size_t *bytes) {
  *bytes = input->bytes();
  return CNNL_STATUS_SUCCESS;
}

cnnlStatus_t cnnlUnique_v2(cnnlHandle_t handle, cnnlUniqueDescriptor_t descriptor, cnnlTensorDescriptor_t input,
                           const void *input_data, void *workspace, size_t workspace_bytes, int *found,
                           cnnlTensorDescriptor_t output, void *output_data, cnnlTensorDescriptor_t inverse,
                           void *inverse_data, cnnlTensorDescriptor_t counts, void *counts_data) {
  if (!descriptor->supported || input->dtype != CNNL_DTYPE_INT32) return CNNL_STATUS_NOT_SUPPORTED;
  int64_t rows = input->sizes[0], width = rows ? (int64_t)input->count() / rows : 0;
  const char *from = tensor_bytes(input_data, input, __func__);
  char *between = tensor_bytes(workspace, input, __func__);
  int32_t *unique = (int32_t *)tensor_bytes(output_data, output, __func__);
  int32_t *alike = (int32_t *)tensor_bytes(inverse_data, inverse, __func__);
  int32_t *many = (int32_t *)tensor_bytes(counts_data, counts, __func__), *number = (int32_t *)mlucpu::contents(found);
  size_t bytes = input->bytes();
  if (!from || !between || !unique || !alike || !many || !number || workspace_bytes < bytes ||
      output->count() < input->count() || inverse->count() < (size_t)rows || counts->count() < (size_t)rows) {
    return CNNL_STATUS_BAD_PARAM;
  }
  mlucpu::enqueue(handle->queue, [=] {
    memmove(between, from, bytes);
    *number = unique_rows(unique, alike, many, (const int32_t *)between, rows, width);
  });
  return CNNL_STATUS_SUCCESS;
}

cnnlStatus_t cnnlScatterNd_v2(cnnlHandle_t handle, cnnlScatterNdMode_t mode, cnnlTensorDescriptor_t indices,
                              const void *indices_data, cnnlTensorDescriptor_t updates, const void *updates_data,
                              cnnlTensorDescriptor_t, const void *input_data, cnnlTensorDescriptor_t output,
                              void *output_data) {
  if (mode != CNNL_SCATTERND_ADD || input_data || indices->dtype != CNNL_DTYPE_INT32 ||
      output->dtype != CNNL_DTYPE_FLOAT) {
    return CNNL_STATUS_NOT_SUPPORTED;
  }
  const int32_t *where = (const int32_t *)tensor_bytes(indices_data, indices, __func__);
  const float *what = (const float *)tensor_bytes(updates_data, updates, __func__);
  float *to = (float *)tensor_bytes(output_data, output, __func__);
  size_t depth = (size_t)indices->sizes.back();
  if (!where || !what || !to || depth == 0 || depth > output->sizes.size()) return CNNL_STATUS_BAD_PARAM;
  int64_t rows = (int64_t)(indices->count() / depth);
  Sizes sizes = output->sizes;
  if ((int64_t)updates->count() != rows * dense_strides(sizes)[depth - 1]) return CNNL_STATUS_BAD_PARAM;
  mlucpu::enqueue(handle->queue, [=] { scatter_add(to, sizes, where, rows, depth, what); });
  return CNNL_STATUS_SUCCESS;
}

}  // extern "C"
