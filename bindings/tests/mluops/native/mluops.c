/* A libmluops without a device: operators write a constant to their outputs, so that a test sees which call came through.
 *
 * Compile with VERSION_MAJOR, VERSION_MINOR, VERSION_PATCH; they decide which functions there are, as in the real releases.
 * CREATE_STATUS is what mluOpCreate answers. The library needs a CNRT that was loaded before, globally.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifndef CREATE_STATUS
#define CREATE_STATUS 0
#endif
#define RELEASE (VERSION_MAJOR * 100 + VERSION_MINOR)

enum { SUCCESS = 0, BAD_PARAM = 3 };
enum { HALF = 1, FLOAT = 2, INT32 = 6 };

typedef struct {
  int layout, dtype, rank;
  int64_t dims[8], strides[8];
} Descriptor;

typedef struct {
  void *queue;
} Handle;

extern int cnrtPeekAtLastError(void);

static int live, release_forbidden, calls, next_status;

int standin_live(void) { return live; }
void standin_forbid_release(void) { release_forbidden = 1; }
int standin_calls(void) { return calls; }
void standin_answer(int status) { next_status = status; }

static int drop(void *object) {
  if (release_forbidden) abort();
  free(object);
  live--;
  return SUCCESS;
}

int mluOpCreate(Handle **handle) {
  if (CREATE_STATUS) return CREATE_STATUS;
  *handle = calloc(1, sizeof **handle);
  live++;
  return cnrtPeekAtLastError();
}
int mluOpDestroy(Handle *handle) { return drop(handle); }
int mluOpSetQueue(Handle *handle, void *queue) {
  handle->queue = queue;
  return next_status;
}
int mluOpGetQueue(Handle *handle, void **queue) {
  *queue = handle->queue;
  return SUCCESS;
}
void mluOpGetLibVersion(int *major, int *minor, int *patch) {
  *major = VERSION_MAJOR, *minor = VERSION_MINOR, *patch = VERSION_PATCH;
}
const char *mluOpGetErrorString(int status) {
  (void)status;
  return "MLUOP_STATUS_SOMETHING";
}

int mluOpCreateTensorDescriptor(Descriptor **desc) {
  *desc = calloc(1, sizeof **desc);
  live++;
  return SUCCESS;
}
int mluOpDestroyTensorDescriptor(Descriptor *desc) { return drop(desc); }

static int begin(Descriptor *desc, int layout, int dtype, int rank) {
  if (layout < 0 || dtype < 0 || rank < 1 || rank > 8) return BAD_PARAM;
  desc->layout = layout, desc->dtype = dtype, desc->rank = rank;
  return SUCCESS;
}
#define SETTERS(suffix, integer)                                                                               \
  int mluOpSetTensorDescriptor##suffix(Descriptor *desc, int layout, int dtype, int rank, const integer dims[]) { \
    int status = begin(desc, layout, dtype, rank);                                                             \
    for (int i = 0; status == SUCCESS && i < rank; i++) desc->dims[i] = dims[i];                               \
    return status;                                                                                             \
  }                                                                                                            \
  int mluOpSetTensorDescriptorEx##suffix(Descriptor *desc, int layout, int dtype, int rank, const integer dims[], \
                                         const integer strides[]) {                                            \
    int status = begin(desc, layout, dtype, rank);                                                             \
    for (int i = 0; status == SUCCESS && i < rank; i++) desc->dims[i] = dims[i], desc->strides[i] = strides[i]; \
    return status;                                                                                             \
  }
SETTERS(, int)
#if RELEASE >= 7
SETTERS(_v2, int64_t)
int mluOpGetTensorDescriptorEx_v2(const Descriptor *desc, int *layout, int *dtype, int *rank, int64_t dims[],
                                  int64_t strides[]) {
  *layout = desc->layout, *dtype = desc->dtype, *rank = desc->rank;
  memcpy(dims, desc->dims, sizeof desc->dims);
  memcpy(strides, desc->strides, sizeof desc->strides);
  return SUCCESS;
}
#endif

size_t mluOpGetTensorElementNum(const Descriptor *desc) {
  size_t count = desc->rank > 0;
  for (int i = 0; i < desc->rank; i++) count *= (size_t)desc->dims[i];
  return count;
}

/* Set every element of an output to `value`. */
static int put(const Descriptor *desc, void *data, float value) {
  size_t count = mluOpGetTensorElementNum(desc);
  calls++;
  if (desc->dtype == FLOAT)
    for (size_t i = 0; i < count; i++) ((float *)data)[i] = value;
  else
    memset(data, (int)value, count * 2);
  return next_status;
}

int mluOpDeformRoiPoolForward(Handle *handle, Descriptor *input_desc, const void *input, Descriptor *rois_desc,
                              const void *rois, Descriptor *offset_desc, const void *offset, int pooled_height,
                              int pooled_width, float spatial_scale, int sampling_ratio, float gamma,
                              Descriptor *output_desc, void *output) {
  (void)handle, (void)input, (void)rois, (void)rois_desc, (void)pooled_height, (void)pooled_width;
  if (input_desc->layout != 1 || output_desc->layout != 1) return BAD_PARAM;
  if ((offset_desc == NULL) != (offset == NULL)) return BAD_PARAM;
  return put(output_desc, output, spatial_scale + (float)sampling_ratio + gamma + (offset ? 100 : 0));
}

int mluOpRotatedFeatureAlignBackward(Handle *handle, Descriptor *top_output_desc, const void *top_output,
                                     Descriptor *bboxes_desc, const void *bboxes, float spatial_scale, int points,
                                     Descriptor *bottom_input_desc, void *bottom_input) {
  (void)handle, (void)top_output, (void)bboxes_desc, (void)bboxes;
  if (top_output_desc->layout != 1 || bottom_input_desc->layout != 1) return BAD_PARAM;
  return put(bottom_input_desc, bottom_input, spatial_scale + (float)points);
}

#if RELEASE >= 8
int mluOpGetMaskedIm2colForwardWorkspaceSize(Handle *handle, Descriptor *feature_desc, Descriptor *mask_h_idx_desc,
                                             Descriptor *mask_w_idx_desc, int kernel_h, int kernel_w,
                                             Descriptor *data_col_desc, size_t *workspace_size) {
  (void)handle, (void)feature_desc, (void)mask_w_idx_desc, (void)kernel_h, (void)kernel_w, (void)data_col_desc;
  if (mask_h_idx_desc->dims[0] > 0) *workspace_size = 64;
  return SUCCESS;
}
int mluOpMaskedIm2colForward(Handle *handle, Descriptor *feature_desc, const void *feature,
                             Descriptor *mask_h_idx_desc, const void *mask_h_idx, Descriptor *mask_w_idx_desc,
                             const void *mask_w_idx, int kernel_h, int kernel_w, int pad_h, int pad_w,
                             void *workspace, size_t workspace_size, Descriptor *data_col_desc, void *data_col) {
  (void)handle, (void)feature, (void)mask_h_idx, (void)mask_w_idx, (void)mask_w_idx_desc;
  if (feature_desc->layout != 0 || (mask_h_idx_desc->dims[0] > 0 && workspace_size != 64)) return BAD_PARAM;
  memset(workspace, 1, workspace_size);
  return put(data_col_desc, data_col, (float)(1000 * kernel_h + 100 * kernel_w + 10 * pad_h + pad_w));
}
#endif

#define ROIAWARE(name, mark)                                                                                    \
  int name(Handle *handle, int pool_method, int boxes_num, int out_x, int out_y, int out_z, int channels,       \
           int max_pts_each_voxel, Descriptor *pts_idx_of_voxels_desc, const void *pts_idx_of_voxels,           \
           Descriptor *argmax_desc, const void *argmax, Descriptor *grad_out_desc, const void *grad_out,        \
           Descriptor *grad_in_desc, void *grad_in) {                                                           \
    (void)handle, (void)pts_idx_of_voxels, (void)argmax, (void)grad_out, (void)argmax_desc, (void)grad_out_desc; \
    const int64_t *dims = pts_idx_of_voxels_desc->dims;                                                         \
    if (dims[0] != boxes_num || dims[1] != out_x || dims[2] != out_y || dims[3] != out_z) return BAD_PARAM;     \
    if (dims[4] != max_pts_each_voxel || grad_in_desc->dims[1] != channels) return BAD_PARAM;                   \
    return put(grad_in_desc, grad_in, (float)(mark + pool_method));                                             \
  }
ROIAWARE(mluOpRoiawarePool3dBackward, 10)
#if VERSION_MAJOR >= 1
ROIAWARE(mluOpRoiAwarePool3dBackward, 20)
#endif

#if RELEASE < 106
int mluOpGetNmsWorkspaceSize(Handle *handle, Descriptor *boxes_desc, Descriptor *confidence_desc, size_t *size) {
#else
int mluOpGetNmsWorkspaceSize(Handle *handle, void *nms_desc, Descriptor *boxes_desc, Descriptor *confidence_desc,
                             size_t *size) {
  (void)nms_desc;
#endif
  (void)handle, (void)boxes_desc, (void)confidence_desc;
  *size = 1;
  return SUCCESS;
}

#if RELEASE >= 6
int mluOpGetNmsRotatedWorkspaceSize(Handle *handle, Descriptor *boxes_desc, size_t *workspace_size) {
  (void)handle;
  *workspace_size = (size_t)(boxes_desc->dims[0] * (boxes_desc->dims[1] + 1)) * 4;
  return SUCCESS;
}
/* Keeps every second box, the last one first. */
int mluOpNmsRotated(Handle *handle, float iou_threshold, Descriptor *boxes_desc, const void *boxes,
                    Descriptor *scores_desc, const void *scores, void *workspace, size_t workspace_size,
                    Descriptor *output_desc, void *output, int32_t *result_num) {
  (void)handle, (void)iou_threshold, (void)boxes, (void)scores_desc, (void)scores;
  calls++;
  if (next_status || boxes_desc->dtype != FLOAT || output_desc->dtype != INT32)
    return next_status ? next_status : BAD_PARAM;
  int32_t boxes_num = (int32_t)boxes_desc->dims[0];
  if (boxes_num == 0) return SUCCESS;
  memset(workspace, 1, workspace_size);
  *result_num = 0;
  for (int32_t i = boxes_num - 1; i >= 0; i -= 2) ((int32_t *)output)[(*result_num)++] = i;
  return SUCCESS;
}
#endif
