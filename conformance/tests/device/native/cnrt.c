/* A CNRT without hardware. Device memory is host memory with slack around each allocation, so that a small overrun ends
 * no process, and no copy reaches it that names the wrong side. Tasks are run when somebody waits for their queue.
 *
 * Compile with VERSION_MAJOR, VERSION_MINOR, VERSION_PATCH; from 6.14 on it has the names and the properties of that header.
 * Variables:
 *   STANDIN_DEVICES     the cards of the machine, "MLU370-X8" by default, of which MLU_VISIBLE_DEVICES selects some
 *   STANDIN_MEMORY_MIB  how much memory each of them has
 *   STANDIN_BUSY        what queries answer about unfinished work
 *   STANDIN_GONE        a file that is made when a device is lost; while it is there, new processes find no device
 *   STANDIN_CLOCK_RATE  how many times too fast the device's clock goes
 *   STANDIN_NO_CLOCKS   set: the device does not tell the rates of its clocks
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "standin.h"

#define IS_NEW (VERSION_MAJOR * 100 + VERSION_MINOR >= 614)

enum {
  NOT_READY = 1, NO_DEVICE = 100004, DEVICE_INVALID = 100005, ARGS_INVALID = 100006, INVALID_HANDLE = 100014,
  NO_MEMORY = 100100, NO_ATTRIBUTE = 632009, DIRECTION_INVALID = 632013, BUSY = 632014
};
enum { HOST_TO_DEVICE, DEVICE_TO_DEVICE, DEVICE_TO_HOST };
enum { SLACK = 4096, MOST_ALLOCATIONS = 4096, MOST_DEVICES = 16 };

static int lost;
#define UNLESS_LOST \
  if (lost) return lost

void standin_lose(int status) {
  const char *gone = getenv("STANDIN_GONE");
  if (gone) fclose(fopen(gone, "w"));
  lost = status;
}

int standin_has_fault(const char *fault, size_t size) {
  const char *given = getenv("STANDIN_FAULTS");
  char words[1024], always[64], here[64];
  snprintf(words, sizeof words, " %s ", given ? given : "");
  snprintf(always, sizeof always, " %s ", fault);
  snprintf(here, sizeof here, " %s@%zu ", fault, size);
  return strstr(words, always) || strstr(words, here);
}

/* Devices */

typedef struct {
  const char *series;
  int isa, clusters, nram_kib, clock_khz, memory_khz, bus_bits, memory_mb;
} Model;
static const Model models[] = {
  {"MLU370", 372, 8, 768, 1300000, 3200000, 384, 24576},
  {"MLU365", 372, 8, 768, 1000000, 3200000, 384, 24576},
  {"MLU590", 592, 12, 512, 1450000, 1600000, 4096, 49152},
  {"", 290, 16, 512, 1000000, 1200000, 4096, 32768},
};
static char names[MOST_DEVICES][64];
static int count = -1;
static _Thread_local int current;

static void add_device(const char *all, int ordinal) {
  char list[512], *rest = NULL;
  snprintf(list, sizeof list, "%s", all);
  char *name = strtok_r(list, ",", &rest);
  while (name && ordinal-- > 0) name = strtok_r(NULL, ",", &rest);
  if (name && count < MOST_DEVICES) snprintf(names[count++], sizeof names[0], "%s", name);
}

static int devices(void) {
  if (count >= 0) return count;
  const char *all = getenv("STANDIN_DEVICES"), *visible = getenv("MLU_VISIBLE_DEVICES"), *gone = getenv("STANDIN_GONE");
  if (gone && access(gone, F_OK) == 0) return 0;
  if (all == NULL) all = "MLU370-X8";
  count = 0;
  if (visible == NULL)
    for (int ordinal = 0; ordinal < MOST_DEVICES; ordinal++) add_device(all, ordinal);
  else
    for (const char *at = visible; *at; at += strcspn(at, ","), at += *at == ',') add_device(all, atoi(at));
  return count;
}

static const Model *model_of(int device) {
  const Model *model = models;
  devices();
  while (strncmp(names[device], model->series, strlen(model->series))) model++;
  return model;
}

int cnrtGetDeviceCount(unsigned *number) {
  if (devices() == 0) return NO_DEVICE;
  *number = (unsigned)devices();
  return CNRT_SUCCESS;
}
int cnrtGetDevice(int *ordinal) {
  UNLESS_LOST;
  *ordinal = current;
  return devices() ? CNRT_SUCCESS : NO_DEVICE;
}
int cnrtSetDevice(int ordinal) {
  UNLESS_LOST;
  if (ordinal < 0 || ordinal >= devices()) return DEVICE_INVALID;
  current = ordinal;
  return CNRT_SUCCESS;
}
int cnrtDeviceGetAttribute(int *value, int attribute, int device) {
  if (device < 0 || device >= devices()) return DEVICE_INVALID;
  const Model *model = model_of(device);
  if (attribute > 0x400 && getenv("STANDIN_NO_CLOCKS")) return NO_ATTRIBUTE;
  switch (attribute) {
    case 0x205: *value = model->clusters; return CNRT_SUCCESS;
    case 0x206: *value = 4; return CNRT_SUCCESS;
    case 0x20a: *value = model->isa; return CNRT_SUCCESS;
    case 0x302: *value = model->nram_kib * 1024; return CNRT_SUCCESS;
    case 0x306: *value = (model->nram_kib > 512 ? 4096 : 2048) * 1024; return CNRT_SUCCESS;
    case 0x402: *value = model->clock_khz; return CNRT_SUCCESS;
    case 0x403: *value = model->memory_khz; return CNRT_SUCCESS;
    case 0x404: *value = model->bus_bits; return CNRT_SUCCESS;
    case 0x405: *value = model->memory_mb; return CNRT_SUCCESS;
    default: return NO_ATTRIBUTE;
  }
}
/* Fills the structure of its release to the last byte: 256 bytes, the name alone, or 584. */
static int properties(char *structure, int device) {
  if (device < 0 || device >= devices()) return DEVICE_INVALID;
  memset(structure, 0xFF, IS_NEW ? 584 : 256);
  strcpy(structure, names[device]);
  return CNRT_SUCCESS;
}
int cnrtGetDeviceProperties(void *structure, int device) { return properties(structure, device); }

/* Memory */

static struct {
  char *start;
  size_t bytes;
} allocations[MOST_ALLOCATIONS];

static int is_on_device(const char *start, size_t bytes) {
  for (int i = 0; i < MOST_ALLOCATIONS; i++)
    if (allocations[i].start && start >= allocations[i].start &&
        start + bytes <= allocations[i].start + allocations[i].bytes)
      return 1;
  return 0;
}

static size_t all_memory(void) {
  const char *mib = getenv("STANDIN_MEMORY_MIB");
  return (mib ? (size_t)atol(mib) : (size_t)model_of(current)->memory_mb) << 20;
}
static size_t free_memory(void) {
  size_t taken = 0;
  for (int i = 0; i < MOST_ALLOCATIONS; i++)
    if (allocations[i].start) taken += allocations[i].bytes;
  return all_memory() - taken;
}

int cnrtMalloc(void **pointer, size_t bytes) {
  UNLESS_LOST;
  if (bytes > free_memory()) return NO_MEMORY;
  for (int i = 0; i < MOST_ALLOCATIONS; i++) {
    if (allocations[i].start) continue;
    size_t whole = (bytes + 3 * SLACK - 1) / SLACK * SLACK;
    char *memory = aligned_alloc(SLACK, whole);
    if (memory == NULL) return NO_MEMORY;
    memset(memory, 0xA5, whole);
    allocations[i].start = memory + SLACK;
    allocations[i].bytes = bytes;
    *pointer = memory + SLACK;
    return CNRT_SUCCESS;
  }
  return NO_MEMORY;
}
int cnrtFree(void *pointer) {
  UNLESS_LOST;
  if (pointer == NULL) return CNRT_SUCCESS;
  for (int i = 0; i < MOST_ALLOCATIONS; i++)
    if (allocations[i].start == pointer) {
      free(allocations[i].start - SLACK);
      allocations[i].start = NULL;
      return CNRT_SUCCESS;
    }
  return ARGS_INVALID;
}
int cnrtMemset(void *pointer, int value, size_t bytes) {
  UNLESS_LOST;
  if (!is_on_device(pointer, bytes)) return ARGS_INVALID;
  memset(pointer, value, bytes);
  return CNRT_SUCCESS;
}
int cnrtMemcpy(void *dst, void *src, size_t bytes, int dir) {
  UNLESS_LOST;
  if (is_on_device(dst, bytes) != (dir == HOST_TO_DEVICE || dir == DEVICE_TO_DEVICE)) return DIRECTION_INVALID;
  if (is_on_device(src, bytes) != (dir == DEVICE_TO_HOST || dir == DEVICE_TO_DEVICE)) return DIRECTION_INVALID;
  memcpy(dst, src, bytes);
  return CNRT_SUCCESS;
}
int cnrtMemGetInfo(size_t *free_bytes, size_t *total) {
  UNLESS_LOST;
  *total = all_memory();
  *free_bytes = free_memory();
  return CNRT_SUCCESS;
}

/* Queues: NULL is the default queue of the device. */

typedef struct {
  void (*run)(void *);
  void *argument;
} Task;
typedef struct {
  Task *tasks;
  size_t pending;
} Queue;
static Queue default_queue;

static Queue *queue_of(void *queue) { return queue ? queue : &default_queue; }

int standin_enqueue(void *handle, void (*run)(void *), const void *argument, size_t bytes) {
  Queue *queue = queue_of(handle);
  void *copy = malloc(bytes);
  memcpy(copy, argument, bytes);
  queue->tasks = realloc(queue->tasks, (queue->pending + 1) * sizeof(Task));
  queue->tasks[queue->pending++] = (Task){run, copy};
  return CNRT_SUCCESS;
}

int cnrtQueueCreate(void **queue) {
  UNLESS_LOST;
  *queue = calloc(1, sizeof(Queue));
  return CNRT_SUCCESS;
}
int cnrtQueueSync(void *handle) {
  UNLESS_LOST;
  Queue *queue = queue_of(handle);
  for (size_t i = 0; i < queue->pending; i++) {
    if (!lost) queue->tasks[i].run(queue->tasks[i].argument);
    free(queue->tasks[i].argument);
  }
  queue->pending = 0;
  return lost;
}
int cnrtQueueDestroy(void *handle) {
  UNLESS_LOST;
  if (handle == NULL) return INVALID_HANDLE;
  int status = cnrtQueueSync(handle);
  free(((Queue *)handle)->tasks);
  free(handle);
  return status;
}
static int unfinished(void) {
  const char *answer = getenv("STANDIN_BUSY");
  return answer ? atoi(answer) : BUSY;
}
int cnrtQueueQuery(void *handle) {
  UNLESS_LOST;
  return queue_of(handle)->pending ? unfinished() : CNRT_SUCCESS;
}
int cnrtSyncDevice(void) { return cnrtQueueSync(NULL); }

typedef struct {
  void *dst, *src;
  size_t bytes;
  int dir;
} Copy;
static void copy(void *argument) {
  Copy *task = argument;
  int status = cnrtMemcpy(task->dst, task->src, task->bytes, task->dir);
  if (status) lost = status;
}
int cnrtMemcpyAsync(void *dst, void *src, size_t bytes, void *queue, int dir) {
  UNLESS_LOST;
  Copy task = {dst, src, bytes, dir};
  return standin_enqueue(queue, copy, &task, sizeof task);
}

/* Notifiers */

typedef struct {
  double us;
  void *queue;
  int is_reached;
} Notifier;

static void reach(void *argument) {
  Notifier *notifier = *(Notifier **)argument;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  notifier->us = (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
  notifier->is_reached = 1;
}
int cnrtNotifierCreate(void **notifier) {
  UNLESS_LOST;
  *notifier = calloc(1, sizeof(Notifier));
  return CNRT_SUCCESS;
}
int cnrtNotifierDestroy(void *notifier) {
  UNLESS_LOST;
  free(notifier);
  return CNRT_SUCCESS;
}
int cnrtPlaceNotifier(void *handle, void *queue) {
  UNLESS_LOST;
  Notifier *notifier = handle;
  notifier->is_reached = 0;
  notifier->queue = queue;
  return standin_enqueue(queue, reach, &notifier, sizeof notifier);
}
int cnrtWaitNotifier(void *handle) { return cnrtQueueSync(((Notifier *)handle)->queue); }
int cnrtQueryNotifier(void *handle) {
  UNLESS_LOST;
  return ((Notifier *)handle)->is_reached ? CNRT_SUCCESS : unfinished();
}
int cnrtQueueWaitNotifier(void *notifier, void *queue, unsigned flag) {
  (void)queue;
  return flag ? ARGS_INVALID : cnrtWaitNotifier(notifier);
}
int cnrtNotifierDuration(void *start, void *end, float *us) {
  UNLESS_LOST;
  const Notifier *from = start, *to = end;
  if (!from->is_reached || !to->is_reached) return NOT_READY;
  const char *rate = getenv("STANDIN_CLOCK_RATE");
  *us = (float)((to->us - from->us) * (rate ? atof(rate) : 1));
  return CNRT_SUCCESS;
}
int cnrtNotifierElapsedTime(void *start, void *end, float *ms) {
  int status = cnrtNotifierDuration(start, end, ms);
  *ms /= 1000;
  return status;
}

/* Errors and versions */

int cnrtDeviceReset(void) {
  lost = CNRT_SUCCESS;
  default_queue.pending = 0;
  return CNRT_SUCCESS;
}
int cnrtPeekAtLastError(void) { return lost; }
int cnrtGetLastError(void) { return lost; }
const char *cnrtGetErrorStr(int status) {
  (void)status;
  return "no words for it";
}
int cnrtGetLibVersion(int *major, int *minor, int *patch) {
  *major = VERSION_MAJOR, *minor = VERSION_MINOR, *patch = VERSION_PATCH;
  return CNRT_SUCCESS;
}
int cnrtDriverGetVersion(int *major, int *minor, int *patch) {
  *major = 5, *minor = 10, *patch = 22;
  return CNRT_SUCCESS;
}

#if IS_NEW
int cnrtGetDeviceProperties_V3(void *structure, int device) { return properties(structure, device); }
int cnrtMemcpyAsync_V2(void *dst, void *src, size_t bytes, void *queue, int dir) {
  return cnrtMemcpyAsync(dst, src, bytes, queue, dir);
}
int cnrtMemcpyAsync_V3(void *dst, void *src, size_t bytes, void *queue, int dir) {
  return cnrtMemcpyAsync(dst, src, bytes, queue, dir);
}
int cnrtNotifierCreateWithFlags(void **notifier, unsigned flags) {
  return flags ? ARGS_INVALID : cnrtNotifierCreate(notifier);
}
#endif
