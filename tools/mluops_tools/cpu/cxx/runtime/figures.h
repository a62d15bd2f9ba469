// The sizes of the device that is answered as, by the architecture that the library is compiled for.
#pragma once

#ifndef MLUOPS_CPU_ARCH
#error "MLUOPS_CPU_ARCH is 372 or 592"
#endif

namespace mlucpu {

const int kArchitecture = MLUOPS_CPU_ARCH;
const int kClusters = 8;
const int kCoresPerCluster = 4;
const int kMaxTaskDimX = 65535;
const int kClockKilohertz = 1300000;
const int kMemoryClockKilohertz = 1600000;
const int kMemoryBusBits = 4096;

#if MLUOPS_CPU_ARCH == 372
const char *const kDeviceName = "MLU370-X8";
const int kNramBytes = 768 << 10, kSramBytes = 4096 << 10, kWramBytes = 1024 << 10;
#else
const char *const kDeviceName = "MLU590-H8";
const int kNramBytes = 512 << 10, kSramBytes = 2048 << 10, kWramBytes = 512 << 10;
#endif

}  // namespace mlucpu
