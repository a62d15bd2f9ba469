/* A CNRT without a device: device memory is host memory, and queues are empty.
 *
 * Compile with VERSION_MAJOR, VERSION_MINOR, VERSION_PATCH; PROPERTIES_BYTES, what cnrtGetDeviceProperties fills; NEW_NAMES
 * for the functions of 6.14.1; ANCIENT for a library without any function of 5.0.0.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SUCCESS = 0, NO_DEVICE = 100004, DEVICE_INVALID = 100005, ARGS_INVALID = 100006, NO_ATTRIBUTE = 632009 };

static int live, release_forbidden, devices = 2, current, query_answer, sync_answer, direction_seen = -1;

int standin_live(void) { return live; }
void standin_forbid_release(void) { release_forbidden = 1; }
void standin_devices(int count) { devices = count; }
void standin_query_answer(int status) { query_answer = status; }
void standin_sync_answer(int status) { sync_answer = status; }
int standin_direction(void) { return direction_seen; }

static int make(void **object, size_t bytes) {
  *object = malloc(bytes);
  memset(*object, 0xAB, bytes);
  live++;
  return SUCCESS;
}

static int drop(void *object) {
  if (release_forbidden) abort();
  if (object == NULL) return SUCCESS;
  free(object);
  live--;
  return SUCCESS;
}

#ifdef ANCIENT
int cnrtCreateQueue(void **queue) { return make(queue, 8); }
#else

int cnrtMalloc(void **ptr, size_t bytes) { return make(ptr, bytes); }
int cnrtFree(void *ptr) { return drop(ptr); }
int cnrtMemset(void *ptr, int value, size_t bytes) {
  memset(ptr, value, bytes);
  return SUCCESS;
}

int cnrtMemcpy(void *dst, void *src, size_t bytes, int dir) {
  direction_seen = dir;
  memcpy(dst, src, bytes);
  return SUCCESS;
}

int cnrtMemcpyAsync(void *dst, void *src, size_t bytes, void *queue, int dir) {
  if (queue == NULL) return ARGS_INVALID;
  return cnrtMemcpy(dst, src, bytes, dir);
}

int cnrtQueueCreate(void **queue) { return make(queue, 8); }
int cnrtQueueDestroy(void *queue) { return drop(queue); }
int cnrtQueueSync(void *queue) {
  (void)queue;
  return sync_answer;
}
int cnrtSyncDevice(void) { return sync_answer; }
int cnrtQueueQuery(void *queue) {
  (void)queue;
  return query_answer;
}
int cnrtQueueWaitNotifier(void *notifier, void *queue, unsigned flag) {
  return notifier && queue && flag == 0 ? SUCCESS : ARGS_INVALID;
}

int cnrtNotifierCreate(void **notifier) { return make(notifier, 8); }
int cnrtNotifierDestroy(void *notifier) { return drop(notifier); }
int cnrtPlaceNotifier(void *notifier, void *queue) {
  static int64_t clock;
  (void)queue;
  clock += 1000;
  memcpy(notifier, &clock, sizeof clock);
  return SUCCESS;
}
int cnrtWaitNotifier(void *notifier) { return notifier ? SUCCESS : ARGS_INVALID; }
int cnrtQueryNotifier(void *notifier) {
  (void)notifier;
  return query_answer;
}
static float between(const void *start, const void *end) {
  int64_t from, to;
  memcpy(&from, start, sizeof from);
  memcpy(&to, end, sizeof to);
  return (float)(to - from);
}
int cnrtNotifierDuration(void *start, void *end, float *us) {
  *us = between(start, end);
  return SUCCESS;
}
int cnrtNotifierElapsedTime(void *start, void *end, float *ms) {
  *ms = between(start, end) / 1000;
  return SUCCESS;
}

int cnrtGetDeviceCount(unsigned *count) {
  if (devices == 0) return NO_DEVICE;
  *count = (unsigned)devices;
  return SUCCESS;
}
int cnrtGetDevice(int *ordinal) {
  *ordinal = current;
  return SUCCESS;
}
int cnrtSetDevice(int ordinal) {
  if (ordinal >= devices) return DEVICE_INVALID;
  current = ordinal;
  return SUCCESS;
}
int cnrtDeviceGetAttribute(int *value, int attribute, int device) {
  if (device >= devices) return DEVICE_INVALID;
  switch (attribute) {
    case 0x205: *value = 8; return SUCCESS;
    case 0x206: *value = 4; return SUCCESS;
    case 0x20a: *value = device == 0 ? 372 : 592; return SUCCESS;
    case 0x302: *value = 768 * 1024; return SUCCESS;
    default: return NO_ATTRIBUTE;
  }
}
static int properties(char *out, int device) {
  memset(out, 0xFF, PROPERTIES_BYTES);
  strcpy(out, device == 0 ? "MLU370-X8" : "MLU590");
  return SUCCESS;
}
int cnrtGetDeviceProperties(void *out, int device) { return properties(out, device); }

#ifdef NEW_NAMES
int cnrtGetDeviceProperties_V3(void *out, int device) { return properties(out, device); }
int cnrtNotifierCreateWithFlags(void **notifier, unsigned flags) { return flags == 4 ? make(notifier, 8) : ARGS_INVALID; }
int cnrtMemcpyAsync_V3(void *dst, void *src, size_t bytes, void *queue, int dir) {
  return cnrtMemcpyAsync(dst, src, bytes, queue, dir);
}
#endif

int cnrtGetLibVersion(int *major, int *minor, int *patch) {
  *major = VERSION_MAJOR, *minor = VERSION_MINOR, *patch = VERSION_PATCH;
  return SUCCESS;
}
int cnrtPeekAtLastError(void) { return SUCCESS; }
const char *cnrtGetErrorStr(int code) { return code == 424242 ? "the card is on fire" : "?"; }
#endif
