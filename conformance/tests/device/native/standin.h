/* What the two stand-ins share: statuses, queues of tasks, and faults that a test orders.
 *
 * STANDIN_FAULTS holds words: a fault, for every call, or FAULT@SIZE, for calls whose output has SIZE elements.
 */
#ifndef STANDIN_H
#define STANDIN_H

#include <stddef.h>
#include <stdint.h>

enum { CNRT_SUCCESS = 0, CNRT_KERNEL_TRAP = 100132 };

/* Put a task behind what the queue has to do; it gets a copy of the argument when somebody waits for the queue. */
int standin_enqueue(void *queue, void (*run)(void *), const void *argument, size_t bytes);

/* Lose the device: every function answers `status` until cnrtDeviceReset, or in another process. */
void standin_lose(int status);

int standin_has_fault(const char *fault, size_t size);

#endif
