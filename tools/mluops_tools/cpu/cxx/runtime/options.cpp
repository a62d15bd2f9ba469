#include "runtime/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <string>

namespace mlucpu {
namespace {

const char *variable(const char *name) {
  const char *value = getenv(name);
  return value && *value ? value : nullptr;
}

uint64_t number(const char *name, uint64_t otherwise) {
  const char *value = variable(name);
  return value ? strtoull(value, nullptr, 0) : otherwise;
}

bool is(const char *name, const char *wanted) {
  const char *value = variable(name);
  return value && !strcmp(value, wanted);
}

// Whether a list of words with commas between them has this one.
bool has_word(const char *name, const std::string &word) {
  const char *value = variable(name);
  return value && ("," + std::string(value) + ",").find("," + word + ",") != std::string::npos;
}

Options read() {
  Options o{};
  uint64_t devices = number("MLUOPS_CPU_DEVICES", 1);
  o.devices = devices > 64 ? 64 : (unsigned)devices;
  o.memory = number("MLUOPS_CPU_MEMORY_MB", 8192) << 20;
  const char *version = variable("MLUOPS_CPU_CNRT_VERSION");
  if (!version || sscanf(version, "%d.%d.%d", &o.cnrt_version[0], &o.cnrt_version[1], &o.cnrt_version[2]) != 3) {
    o.cnrt_version[0] = 6, o.cnrt_version[1] = 14, o.cnrt_version[2] = 1;
  }
  o.eager = is("MLUOPS_CPU_EAGER", "1");
  const char *poison = variable("MLUOPS_CPU_POISON");
  o.poison = poison ? (int)strtol(poison, nullptr, 0) : 0xFF;
  o.races = has_word("MLUOPS_CPU_CHECK", "races");
  o.unwritten = has_word("MLUOPS_CPU_CHECK", "unwritten");
  o.seed = number("MLUOPS_CPU_SEED", 0);
  bool late = variable("MLUOPS_CPU_COPIES") ? is("MLUOPS_CPU_COPIES", "late") : o.seed % 2 == 1;
  o.copies = late ? Copies::late : Copies::early;
  o.shuffled = variable("MLUOPS_CPU_ORDER") ? is("MLUOPS_CPU_ORDER", "shuffled") : o.seed != 0;
  o.reversed = is("MLUOPS_CPU_ORDER", "reversed");
  return o;
}

}  // namespace

const Options &options() {
  static const Options chosen = read();
  return chosen;
}

bool model_is(const char *name, const char *value) {
  return has_word("MLUOPS_CPU_MODEL", std::string(name) + "=" + value);
}

}  // namespace mlucpu
