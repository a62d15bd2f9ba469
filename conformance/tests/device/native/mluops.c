/* A libmluops without hardware: three of the real operators, computed in plain C as tasks of the CNRT beside it.
 *
 * It logs to stdout, as the real one does.
 *
 * Compile with VERSION_MAJOR, VERSION_MINOR, VERSION_PATCH: they decide which functions there are, as in the real releases.
 * STANDIN_FAULTS (see standin.h) makes calls go wrong, those behind the first STANDIN_GOOD_CALLS of the process;
 * STANDIN_KERNEL_MS is how long each kernel takes at least.
 */
#define _GNU_SOURCE
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "standin.h"

#define RELEASE (VERSION_MAJOR * 100 + VERSION_MINOR)

enum {
  SUCCESS = 0, NOT_INITIALIZED = 1, BAD_PARAM = 3, INTERNAL_ERROR = 4, EXECUTION_FAILED = 6, NOT_SUPPORTED = 7,
  UNHEARD_OF = 99
};
enum { HALF = 1, FLOAT = 2, INT32 = 6 };
enum { NCHW = 0 };

#define DEMAND(condition, status)                                                          \
  do {                                                                                     \
    if (!(condition)) {                                                                    \
      printf("[%s] Check failed: %s\n", __func__, #condition);                             \
      return status;                                                                       \
    }                                                                                      \
  } while (0)
#define REQUIRE(condition) DEMAND(condition, BAD_PARAM)
#define SUPPORT(condition) DEMAND(condition, NOT_SUPPORTED)

extern int cnrtGetDevice(int *ordinal);
extern int cnrtGetDeviceProperties(void *structure, int device);
extern int cnrtGetLibVersion(int *major, int *minor, int *patch);
extern int cnrtPeekAtLastError(void);

/* Handles and descriptors */

typedef struct {
  void *queue;
} Handle;
typedef struct {
  int layout, dtype, rank;
  int64_t dims[8], strides[8];
} Descriptor;

/* The oldest CNRT that a release takes, as major * 100 + minor. */
static int oldest_cnrt(void) { return RELEASE >= 100 ? 607 : RELEASE >= 8 ? 603 : 500; }

int mluOpCreate(Handle **handle) {
  int major, minor, patch;
  const char *check = getenv("MLUOP_CHECK_DEP_VERSION");
  cnrtGetLibVersion(&major, &minor, &patch);
  if (!(check && strcmp(check, "0") == 0) && major * 100 + minor < oldest_cnrt()) return NOT_INITIALIZED;
  if (cnrtPeekAtLastError()) return EXECUTION_FAILED;
  *handle = calloc(1, sizeof **handle);
  printf("[standin] made a handle\n");
  return SUCCESS;
}
int mluOpDestroy(Handle *handle) {
  free(handle);
  return SUCCESS;
}
int mluOpSetQueue(Handle *handle, void *queue) {
  handle->queue = queue;
  return SUCCESS;
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
  return "no words for it";
}

int mluOpCreateTensorDescriptor(Descriptor **desc) {
  *desc = calloc(1, sizeof **desc);
  return SUCCESS;
}
int mluOpDestroyTensorDescriptor(Descriptor *desc) {
  free(desc);
  return SUCCESS;
}
#define SETTERS(suffix, integer)                                                                                   \
  int mluOpSetTensorDescriptorEx##suffix(Descriptor *desc, int layout, int dtype, int rank, const integer dims[],  \
                                         const integer strides[]) {                                                \
    if (layout < 0 || dtype < 0 || rank < 1 || rank > 8) return BAD_PARAM;                                         \
    desc->layout = layout, desc->dtype = dtype, desc->rank = rank;                                                 \
    for (int i = 0; i < rank; i++) desc->dims[i] = dims[i], desc->strides[i] = strides[i];                         \
    return SUCCESS;                                                                                                \
  }                                                                                                                \
  int mluOpSetTensorDescriptor##suffix(Descriptor *desc, int layout, int dtype, int rank, const integer dims[]) {  \
    integer strides[8] = {0};                                                                                      \
    if (rank >= 1 && rank <= 8) strides[rank - 1] = 1;                                                             \
    for (int i = rank - 2; i >= 0 && rank <= 8; i--) strides[i] = strides[i + 1] * dims[i + 1];                    \
    return mluOpSetTensorDescriptorEx##suffix(desc, layout, dtype, rank, dims, strides);                           \
  }
SETTERS(, int)
#if RELEASE >= 7
SETTERS(_v2, int64_t)
#endif

size_t mluOpGetTensorElementNum(const Descriptor *desc) {
  size_t count = desc->rank > 0;
  for (int i = 0; i < desc->rank; i++) count *= (size_t)desc->dims[i];
  return count;
}
static size_t item_bytes(const Descriptor *desc) { return desc->dtype == HALF ? 2 : 4; }
static size_t bytes_of(const Descriptor *desc) { return mluOpGetTensorElementNum(desc) * item_bytes(desc); }
static int is_small(const Descriptor *desc) { return mluOpGetTensorElementNum(desc) < (size_t)1 << 31; }
static int is_contiguous(const Descriptor *desc) {
  int64_t stride = 1;
  if (mluOpGetTensorElementNum(desc) == 0) return 1;
  for (int i = desc->rank - 1; i >= 0; stride *= desc->dims[i--])
    if (desc->dims[i] != 1 && desc->strides[i] != stride) return 0;
  return 1;
}
static int is_vector(const Descriptor *desc, int dtype, int64_t length) {
  return desc->dtype == dtype && desc->rank == 1 && desc->dims[0] == length;
}

/* Calls: what a kernel is launched with. The first input is the one that a fault modifies. */

typedef struct Call {
  void (*kernel)(const struct Call *);
  const void *inputs[3];
  void *output, *workspace;
  size_t elements, bytes, workspace_size; /* elements and bytes of the output */
  int64_t sizes[8];
  int scalars[4];
  float threshold;
  int32_t *result_num;
  int number;
} Call;

static int has_fault(const Call *call, const char *fault) {
  const char *good = getenv("STANDIN_GOOD_CALLS");
  return call->number > (good ? atoi(good) : 0) && standin_has_fault(fault, call->elements);
}

static void hang(void) {
  for (;;) pause();
}
static void crash(void) {
  int device;
  char properties[4096];
  cnrtGetDevice(&device);
  cnrtGetDeviceProperties(properties, device);
  printf("[standin] crashing on device %s\n", properties);
  raise(SIGSEGV);
}
static void spoil(void *byte) { *(volatile unsigned char *)byte ^= 0x41; }

static void take_time(void) {
  const char *least = getenv("STANDIN_KERNEL_MS");
  if (least) usleep((useconds_t)(atof(least) * 1000));
}

static void run(void *argument) {
  const Call *call = argument;
  char *output = call->output, *workspace = call->workspace;
  if (has_fault(call, "hang-in-kernel")) hang();
  if (has_fault(call, "segfault-in-kernel")) crash();
  if (has_fault(call, "abort-in-kernel")) abort();
  if (has_fault(call, "trap")) return standin_lose(CNRT_KERNEL_TRAP);
  take_time();
  if (workspace) memset(workspace, 1, call->workspace_size);
  if (!has_fault(call, "silent")) call->kernel(call);
  if (has_fault(call, "wrong-value")) spoil(output);
  if (has_fault(call, "underrun")) memset(output - 3, 0, 3);
  if (has_fault(call, "overrun")) memset(output + call->bytes, 0, 5);
  if (has_fault(call, "workspace-overrun")) memset(workspace + call->workspace_size, 0, 2);
  if (has_fault(call, "changed-input")) spoil((void *)(uintptr_t)call->inputs[0]);
}

static int calls;

int standin_calls(void) { return calls; }

static int launch(const Handle *handle, Call *call) {
  call->number = ++calls;
  if (has_fault(call, "hang")) hang();
  if (has_fault(call, "segfault")) crash();
  if (has_fault(call, "abort")) abort();
  if (has_fault(call, "internal-error")) return INTERNAL_ERROR;
  if (has_fault(call, "execution-failed")) return EXECUTION_FAILED;
  if (has_fault(call, "unheard-of-status")) return UNHEARD_OF;
  return standin_enqueue(handle->queue, run, call, sizeof *call);
}

/* masked_im2col_forward: the windows of a map at given positions as columns, channel by channel. */

#if RELEASE >= 8
enum { CHANNELS, HEIGHT, WIDTH, COLUMNS };
enum { KERNEL_H, KERNEL_W, PAD_H, PAD_W };

static void im2col(const Call *call) {
  const int64_t *sizes = call->sizes;
  const int *scalars = call->scalars;
  const int32_t *mask_h = call->inputs[1], *mask_w = call->inputs[2];
  size_t item = call->bytes / call->elements;
  char *cell = call->output;
  for (int64_t c = 0; c < sizes[CHANNELS]; c++)
    for (int i = 0; i < scalars[KERNEL_H]; i++)
      for (int j = 0; j < scalars[KERNEL_W]; j++)
        for (int64_t m = 0; m < sizes[COLUMNS]; m++, cell += item) {
          int64_t y = (int64_t)mask_h[m] - scalars[PAD_H] + i, x = (int64_t)mask_w[m] - scalars[PAD_W] + j;
          int is_in_map = y >= 0 && y < sizes[HEIGHT] && x >= 0 && x < sizes[WIDTH];
          int64_t place = (c * sizes[HEIGHT] + y) * sizes[WIDTH] + x;
          if (is_in_map)
            memcpy(cell, (const char *)call->inputs[0] + (size_t)place * item, item);
          else
            memset(cell, 0, item);
        }
}

static int check_im2col(const Descriptor *feature, const Descriptor *mask_h, const Descriptor *mask_w, int kernel_h,
                        int kernel_w, const Descriptor *data_col) {
  REQUIRE(feature && mask_h && mask_w && data_col);
  REQUIRE(feature->layout == NCHW && feature->rank == 4 && feature->dims[0] == 1);
  REQUIRE((feature->dtype == FLOAT || feature->dtype == HALF) && data_col->dtype == feature->dtype);
  REQUIRE(is_vector(mask_h, INT32, mask_h->dims[0]) && is_vector(mask_w, INT32, mask_h->dims[0]));
  REQUIRE(kernel_h > 0 && kernel_w > 0);
  REQUIRE(data_col->rank == 2 && data_col->dims[0] == feature->dims[1] * kernel_h * kernel_w);
  REQUIRE(data_col->dims[1] == mask_h->dims[0]);
  SUPPORT(is_contiguous(feature) && is_contiguous(mask_h) && is_contiguous(mask_w) && is_contiguous(data_col));
  SUPPORT(is_small(feature) && is_small(mask_h) && is_small(data_col));
  REQUIRE(mluOpGetTensorElementNum(feature) != 0);
  return SUCCESS;
}

int mluOpGetMaskedIm2colForwardWorkspaceSize(Handle *handle, Descriptor *feature_desc, Descriptor *mask_h_idx_desc,
                                             Descriptor *mask_w_idx_desc, int kernel_h, int kernel_w,
                                             Descriptor *data_col_desc, size_t *workspace_size) {
  REQUIRE(handle && workspace_size);
  int status = check_im2col(feature_desc, mask_h_idx_desc, mask_w_idx_desc, kernel_h, kernel_w, data_col_desc);
  if (status == SUCCESS && mask_h_idx_desc->dims[0] != 0)
    *workspace_size = bytes_of(feature_desc) + bytes_of(data_col_desc);
  return status;
}

int mluOpMaskedIm2colForward(Handle *handle, Descriptor *feature_desc, const void *feature,
                             Descriptor *mask_h_idx_desc, const void *mask_h_idx, Descriptor *mask_w_idx_desc,
                             const void *mask_w_idx, int kernel_h, int kernel_w, int pad_h, int pad_w,
                             void *workspace, size_t workspace_size, Descriptor *data_col_desc, void *data_col) {
  REQUIRE(handle);
  int status = check_im2col(feature_desc, mask_h_idx_desc, mask_w_idx_desc, kernel_h, kernel_w, data_col_desc);
  if (status != SUCCESS || mask_h_idx_desc->dims[0] == 0) return status;
  REQUIRE(feature && mask_h_idx && mask_w_idx && data_col && (workspace || workspace_size == 0));
  const int64_t *map = feature_desc->dims;
  Call call = {
    .kernel = im2col, .inputs = {feature, mask_h_idx, mask_w_idx}, .output = data_col,
    .elements = mluOpGetTensorElementNum(data_col_desc), .bytes = bytes_of(data_col_desc),
    .workspace = workspace, .workspace_size = workspace_size,
    .sizes = {map[1], map[2], map[3], mask_h_idx_desc->dims[0]}, .scalars = {kernel_h, kernel_w, pad_h, pad_w},
  };
  return launch(handle, &call);
}
#endif

/* roiaware_pool3d_backward, of the maximum alone: gradients of voxels go to the points that were the greatest. */

static void pool(const Call *call) {
  const int32_t *argmax = call->inputs[0];
  const float *grad_out = call->inputs[1];
  float *grad_in = call->output;
  int64_t channels = call->sizes[1];
  if (!has_fault(call, "accumulate")) memset(grad_in, 0, call->bytes);
  for (int64_t i = 0; i < call->sizes[0]; i++)
    if (argmax[i] >= 0) grad_in[argmax[i] * channels + i % channels] += grad_out[i];
}

#define ROIAWARE(name)                                                                                              \
  int name(Handle *handle, int pool_method, int boxes_num, int out_x, int out_y, int out_z, int channels,           \
           int max_pts_each_voxel, Descriptor *pts_idx_of_voxels_desc, const void *pts_idx_of_voxels,               \
           Descriptor *argmax_desc, const void *argmax, Descriptor *grad_out_desc, const void *grad_out,            \
           Descriptor *grad_in_desc, void *grad_in) {                                                               \
    (void)boxes_num, (void)out_x, (void)out_y, (void)out_z, (void)max_pts_each_voxel;                               \
    REQUIRE(handle && pts_idx_of_voxels_desc && argmax_desc && grad_out_desc && grad_in_desc);                      \
    REQUIRE(pool_method == 0 && grad_out_desc->dtype == FLOAT && grad_in_desc->dtype == FLOAT);                     \
    REQUIRE(pts_idx_of_voxels && argmax && grad_out && grad_in);                                                    \
    Call call = {                                                                                                   \
      .kernel = pool, .inputs = {argmax, grad_out}, .output = grad_in,                                              \
      .elements = mluOpGetTensorElementNum(grad_in_desc), .bytes = bytes_of(grad_in_desc),                          \
      .sizes = {(int64_t)mluOpGetTensorElementNum(argmax_desc), channels},                                          \
    };                                                                                                              \
    return launch(handle, &call);                                                                                   \
  }
#if RELEASE >= 5
ROIAWARE(mluOpRoiawarePool3dBackward)
#endif
#if RELEASE >= 100
ROIAWARE(mluOpRoiAwarePool3dBackward)
#endif

/* nms_rotated: overlaps are the areas of one box clipped at the four sides of the other. */

#if RELEASE >= 6
typedef struct {
  double x, y;
} Point;

static void corners_of(const float *box, Point corners[4]) {
  double c = cos(box[4]), s = sin(box[4]);
  for (int i = 0; i < 4; i++) {
    double along = (i == 1 || i == 2 ? 0.5 : -0.5) * box[2], across = (i > 1 ? 0.5 : -0.5) * box[3];
    corners[i] = (Point){box[0] + along * c - across * s, box[1] + along * s + across * c};
  }
}
static double cross(Point a, Point b, Point p) { return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x); }

/* Clip a polygon of `count` points at the line from a to b, in place; how many points are left. */
static int clip(Point *polygon, int count, Point a, Point b) {
  Point kept[16];
  int left = 0;
  for (int i = 0; i < count; i++) {
    Point from = polygon[i], to = polygon[(i + 1) % count];
    double before = cross(a, b, from), after = cross(a, b, to), part = before / (before - after);
    if (before >= 0) kept[left++] = from;
    if ((before > 0 && after < 0) || (before < 0 && after > 0))
      kept[left++] = (Point){from.x + part * (to.x - from.x), from.y + part * (to.y - from.y)};
  }
  memcpy(polygon, kept, sizeof(Point) * (size_t)left);
  return left;
}
static double common_area(const float *first, const float *second) {
  Point polygon[16], sides[4];
  int count = 4;
  double area = 0;
  corners_of(first, polygon);
  corners_of(second, sides);
  for (int i = 0; i < 4 && count; i++) count = clip(polygon, count, sides[i], sides[(i + 1) % 4]);
  for (int i = 1; i + 1 < count; i++) area += cross(polygon[0], polygon[i], polygon[i + 1]) / 2;
  return area;
}
static int is_suppressed(const float *kept, const float *box, double threshold) {
  double first = (double)kept[2] * kept[3], second = (double)box[2] * box[3];
  if (threshold < 0 || first < 1e-14 || second < 1e-14) return threshold < 0;
  double common = common_area(kept, box);
  return common > threshold * (first + second - common);
}

static void nms(const Call *call) {
  const float *boxes = call->inputs[0], *scores = call->inputs[1];
  int64_t boxes_num = call->sizes[0], width = call->sizes[1];
  int32_t *output = call->output, kept = 0;
  float *left = malloc((size_t)boxes_num * sizeof *left);
  memcpy(left, scores, (size_t)boxes_num * sizeof *left);
  for (;;) {
    int64_t best = 0;
    for (int64_t i = 1; i < boxes_num; i++)
      if (left[i] > left[best]) best = i;
    if (left[best] == -INFINITY) break;
    output[kept++] = (int32_t)best;
    left[best] = -INFINITY;
    for (int64_t i = 0; i < boxes_num; i++)
      if (left[i] != -INFINITY && is_suppressed(boxes + best * width, boxes + i * width, call->threshold))
        left[i] = -INFINITY;
  }
  *call->result_num = kept;
  free(left);
}

int mluOpGetNmsRotatedWorkspaceSize(Handle *handle, Descriptor *boxes_desc, size_t *workspace_size) {
  REQUIRE(handle && boxes_desc && workspace_size);
  *workspace_size = (size_t)(boxes_desc->dims[0] * (boxes_desc->dims[1] + 1)) * item_bytes(boxes_desc);
  return SUCCESS;
}

int mluOpNmsRotated(Handle *handle, float iou_threshold, Descriptor *boxes_desc, const void *boxes,
                    Descriptor *scores_desc, const void *scores, void *workspace, size_t workspace_size,
                    Descriptor *output_desc, void *output, int32_t *result_num) {
  REQUIRE(handle && boxes_desc && scores_desc && output_desc);
  const int64_t *dims = boxes_desc->dims;
  REQUIRE(boxes_desc->dtype == FLOAT && boxes_desc->rank == 2 && (dims[1] == 5 || dims[1] == 6));
  REQUIRE(is_vector(scores_desc, FLOAT, dims[0]) && is_vector(output_desc, INT32, dims[0]));
  SUPPORT(is_contiguous(boxes_desc) && is_contiguous(scores_desc) && is_contiguous(output_desc));
  SUPPORT(is_small(boxes_desc));
  if (dims[0] == 0) return SUCCESS;
  REQUIRE(boxes && scores && (workspace || workspace_size == 0) && output && result_num);
  Call call = {
    .kernel = nms, .inputs = {boxes, scores}, .output = output, .result_num = result_num,
    .elements = (size_t)dims[0], .bytes = bytes_of(output_desc), .workspace = workspace,
    .workspace_size = workspace_size, .sizes = {dims[0], dims[1]}, .threshold = iou_threshold,
  };
  return launch(handle, &call);
}
#endif
