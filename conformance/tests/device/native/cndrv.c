/* The part of CNDrv that limits clusters: a context that refuses limits which contradict each other. */
#include <stdint.h>

enum { SUCCESS = 0, INVALID_VALUE = 100001 };
enum { VISIBLE_CLUSTER = 0, VISIBLE_CLUSTER_NUM = 1, UNION_LIMIT = 2 };
enum { CLUSTERS = 8, CORES_PER_CLUSTER = 4 };

typedef union {
  uint64_t bitmap, number;
  int union_limit;
} Parameter;

static uint64_t visible = (1 << CLUSTERS) - 1;
static int union_limit = CLUSTERS * CORES_PER_CLUSTER;

int cnCtxGetCurrent(void **context) {
  *context = &visible;
  return SUCCESS;
}
int cnGetCtxConfigParam(void *context, int type, Parameter *parameter) {
  if (context != &visible) return INVALID_VALUE;
  if (type == VISIBLE_CLUSTER) parameter->bitmap = visible;
  if (type == VISIBLE_CLUSTER_NUM) parameter->number = (uint64_t)__builtin_popcountll(visible);
  if (type == UNION_LIMIT) parameter->union_limit = union_limit;
  return SUCCESS;
}
int cnSetCtxConfigParam(void *context, int type, const Parameter *parameter) {
  uint64_t clusters = type == VISIBLE_CLUSTER ? parameter->bitmap : visible;
  int widest = type == UNION_LIMIT ? parameter->union_limit : union_limit;
  if (context != &visible || type == VISIBLE_CLUSTER_NUM) return INVALID_VALUE;
  if (clusters == 0 || clusters >> CLUSTERS) return INVALID_VALUE;
  if (widest / CORES_PER_CLUSTER > __builtin_popcountll(clusters)) return INVALID_VALUE;
  visible = clusters, union_limit = widest;
  return SUCCESS;
}
