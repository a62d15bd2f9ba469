// What the device answers about itself, and CNRT's names of errors.
#include <stdio.h>
#include <string.h>

#include "cnrt.h"
#include "runtime/figures.h"
#include "runtime/memory.h"
#include "runtime/options.h"
#include "runtime/queues.h"

using namespace mlucpu;

namespace {

thread_local int chosen = 0;

bool exists(int ordinal) { return ordinal >= 0 && (unsigned)ordinal < options().devices; }

struct Attribute {
  int number, value;
};

// By CNRT's public numbers.
const Attribute kAttributes[] = {
    {0x01, 5},                  // compute capability, major
    {0x02, 0},                  // minor
    {0x04, 1},                  // half
    {0x05, 1},                  // int4
    {0x06, 1},                  // int8
    {0x07, 1},                  // bfloat16
    {0x08, 1},                  // tf32
    {0x101, 4096},              // queue size
    {0x102, 4096},              // notifier size
    {0x204, kClusters},         // clusters of a union task
    {0x205, kClusters},
    {0x206, kCoresPerCluster},
    {0x20a, kArchitecture},
    {0x20b, 0},                 // multiple tensor processor
    {0x301, 48 << 20},          // L2 cache
    {0x302, kNramBytes},
    {0x303, kWramBytes},
    {0x306, kSramBytes},
    {0x309, 0},                 // persisting L2 cache
    {0x401, 0},                 // ECC
    {0x402, kClockKilohertz},
    {0x403, kMemoryClockKilohertz},
    {0x404, kMemoryBusBits},
    {0x407, 0},                 // PCI device
    {0x408, 0},                 // PCI domain
};

struct Error {
  cnrtRet_t status;
  const char *name, *text;
};

const Error kErrors[] = {
    {cnrtSuccess, "cnrtSuccess", "no error"},
    {cnrtErrorNotReady, "cnrtErrorNotReady", "not ready"},
    {cnrtErrorDeviceInvalid, "cnrtErrorDeviceInvalid", "no such device"},
    {cnrtErrorArgsInvalid, "cnrtErrorArgsInvalid", "invalid argument"},
    {cnrtErrorInvalidResourceHandle, "cnrtErrorInvalidResourceHandle", "no such queue or notifier"},
    {cnrtErrorNotSupport, "cnrtErrorNotSupport", "not supported"},
    {cnrtErrorNoMem, "cnrtErrorNoMem", "out of memory"},
    {cnrtErrorKernelTrap, "cnrtErrorKernelTrap", "a kernel trapped"},
    {cnrtErrorBusy, "cnrtErrorBusy", "work is left"},
};

const Error *error_of(cnrtRet_t status) {
  for (const Error &error : kErrors) {
    if (error.status == status) return &error;
  }
  return nullptr;
}

}  // namespace

int mlucpu::current_device() { return chosen; }

extern "C" {

cnrtRet_t cnrtGetDeviceCount(unsigned int *count) {
  *count = options().devices;
  return cnrtSuccess;
}

cnrtRet_t cnrtSetDevice(int ordinal) {
  if (!exists(ordinal)) return noted(cnrtErrorDeviceInvalid);
  chosen = ordinal;
  return cnrtSuccess;
}

cnrtRet_t cnrtGetDevice(int *ordinal) {
  *ordinal = chosen;
  return cnrtSuccess;
}

cnrtRet_t cnrtDeviceGetAttribute(int *value, cnrtDeviceAttr_t attribute, int ordinal) {
  if (!exists(ordinal)) return noted(cnrtErrorDeviceInvalid);
  if (attribute == 0x405) return *value = (int)(options().memory >> 20), cnrtSuccess;
  if (attribute == 0x406) return *value = 0x3b + ordinal, cnrtSuccess;
  for (const Attribute &known : kAttributes) {
    if (known.number == attribute) return *value = known.value, cnrtSuccess;
  }
  return noted(cnrtErrorNoAttribute);
}

cnrtRet_t cnrtGetDeviceProperties_V3(void *properties, int ordinal) {
  const size_t kSize = 584;  // of the structure, which begins with a name of 256 bytes
  if (!exists(ordinal)) return noted(cnrtErrorDeviceInvalid);
  memset(properties, 0, kSize);
  strcpy((char *)properties, kDeviceName);
  return cnrtSuccess;
}

cnrtRet_t cnrtDeviceGetPCIBusId(char *text, int length, int ordinal) {
  if (!exists(ordinal)) return noted(cnrtErrorDeviceInvalid);
  snprintf(text, (size_t)length, "0000:%02x:00.0", 0x3b + ordinal);
  return cnrtSuccess;
}

const char *cnrtGetErrorName(cnrtRet_t status) {
  const Error *error = error_of(status);
  return error ? error->name : "cnrtErrorUnknown";
}

const char *cnrtGetErrorStr(cnrtRet_t status) {
  const Error *error = error_of(status);
  return error ? error->text : "an error without a text";
}

cnrtRet_t cnrtGetLibVersion(int *major, int *minor, int *patch) {
  const int *version = options().cnrt_version;
  *major = version[0], *minor = version[1], *patch = version[2];
  return cnrtSuccess;
}

cnrtRet_t cnrtDriverGetVersion(int *major, int *minor, int *patch) {
  *major = 6, *minor = 0, *patch = 3;
  return cnrtSuccess;
}

cnrtRet_t cnrtCastDataType_V2(void *, cnrtDataType_V2_t, void *, cnrtDataType_V2_t, int, void *, cnrtRoundingMode_t) {
  return noted(cnrtErrorNotSupport);
}

}  // extern "C"
