/* Functions with the names and parameters of mlu_op.h and cnrt.h that only note what reaches them. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static uint64_t noted[16];
static int status;

/* What the last call got: integers sign-extended, pointers and size_t as they are, floats by their 32 bits. */
const uint64_t *echo_noted(void) { return noted; }
void echo_answer(int next_status) { status = next_status; }

static uint64_t bits(float value) {
  uint32_t pattern;
  memcpy(&pattern, &value, sizeof pattern);
  return pattern;
}

#define NOTE(index, value) (noted[index] = (uint64_t)(value))
#define ADDRESS(index, pointer) (noted[index] = (uint64_t)(uintptr_t)(pointer))

int mluOpNmsRotated(void *handle, float iou_threshold, void *boxes_desc, const void *boxes, void *scores_desc,
                    const void *scores, void *workspace, size_t workspace_size, void *output_desc, void *output,
                    int32_t *result_num) {
  ADDRESS(0, handle);
  noted[1] = bits(iou_threshold);
  ADDRESS(2, boxes_desc);
  ADDRESS(3, boxes);
  ADDRESS(4, scores_desc);
  ADDRESS(5, scores);
  ADDRESS(6, workspace);
  NOTE(7, workspace_size);
  ADDRESS(8, output_desc);
  ADDRESS(9, output);
  ADDRESS(10, result_num);
  return status;
}

int mluOpDeformRoiPoolForward(void *handle, void *input_desc, const void *input, void *rois_desc, const void *rois,
                              void *offset_desc, const void *offset, int pooled_height, int pooled_width,
                              float spatial_scale, int sampling_ratio, float gamma, void *output_desc,
                              void *output) {
  ADDRESS(0, handle);
  ADDRESS(1, input_desc);
  ADDRESS(2, input);
  ADDRESS(3, rois_desc);
  ADDRESS(4, rois);
  ADDRESS(5, offset_desc);
  ADDRESS(6, offset);
  NOTE(7, (int64_t)pooled_height);
  NOTE(8, (int64_t)pooled_width);
  noted[9] = bits(spatial_scale);
  NOTE(10, (int64_t)sampling_ratio);
  noted[11] = bits(gamma);
  ADDRESS(12, output_desc);
  ADDRESS(13, output);
  return status;
}

int mluOpSetTensorDescriptor(void *desc, int layout, int dtype, int dimNb, const int dimSize[]) {
  ADDRESS(0, desc);
  NOTE(1, (int64_t)layout);
  NOTE(2, (int64_t)dtype);
  NOTE(3, (int64_t)dimNb);
  for (int i = 0; i < dimNb; i++) NOTE(4 + i, (int64_t)dimSize[i]);
  return status;
}

int mluOpSetTensorDescriptor_v2(void *desc, int layout, int dtype, int dimNb, const int64_t dimSize[]) {
  ADDRESS(0, desc);
  NOTE(1, (int64_t)layout);
  NOTE(2, (int64_t)dtype);
  NOTE(3, (int64_t)dimNb);
  for (int i = 0; i < dimNb; i++) NOTE(4 + i, dimSize[i]);
  return status;
}

int mluOpBoxIouRotated(void *handle, int mode, bool aligned, void *bbox1_desc, const void *bbox1, void *bbox2_desc,
                       const void *bbox2, void *ious_desc, void *ious) {
  (void)handle, (void)bbox1_desc, (void)bbox1, (void)bbox2_desc, (void)bbox2, (void)ious_desc, (void)ious;
  NOTE(1, (int64_t)mode);
  NOTE(2, aligned);
  return status;
}

int mluOpCreateGroupTensorDescriptors(void **group_desc[], int desc_num) {
  for (int i = 0; i < desc_num; i++) *group_desc[i] = (void *)(uintptr_t)(0x7f0000000000u + 16u * (unsigned)i);
  return status;
}

int mluOpGetNmsRotatedWorkspaceSize(void *handle, void *boxes_desc, size_t *workspace_size) {
  (void)handle, (void)boxes_desc;
  *workspace_size = ((size_t)1 << 40) + 3;
  return status;
}

size_t mluOpGetTensorElementNum(void *desc) {
  ADDRESS(0, desc);
  return ((size_t)1 << 33) + 5;
}

const char *mluOpGetErrorString(int code) { return code == 3 ? "MLUOP_STATUS_BAD_PARAM" : "no such status"; }

void mluOpGetLibVersion(int *major, int *minor, int *patch) {
  *major = 1;
  *minor = 11;
  *patch = 1;
}

int mluOpSetQueue(void *handle, void *queue) {
  ADDRESS(0, handle);
  ADDRESS(1, queue);
  return status;
}

int cnrtMemcpyAsync(void *dst, void *src, size_t bytes, void *queue, int dir) {
  ADDRESS(0, dst);
  ADDRESS(1, src);
  NOTE(2, bytes);
  ADDRESS(3, queue);
  NOTE(4, (int64_t)dir);
  return status;
}

const char *cnrtGetErrorStr(int code) {
  (void)code;
  return "words of the runtime";
}
