#include "runtime/trap.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <vector>

#include "runtime/core.h"
#include "runtime/scheduler.h"

namespace mlucpu {
namespace {

struct Frame {
  std::string function, file;  // file:line
};

// Run a command and return its output by lines.
std::vector<std::string> lines_of(const std::string &command) {
  std::vector<std::string> lines;
  FILE *pipe = popen(command.c_str(), "r");
  if (!pipe) return lines;
  char line[4096];
  while (fgets(line, sizeof line, pipe)) {
    line[strcspn(line, "\n")] = 0;
    lines.push_back(line);
  }
  pclose(pipe);
  return lines;
}

// Return the functions at a code address, the innermost inlined one first, as binutils' addr2line tells them.
std::vector<Frame> frames_at(const void *code) {
  Dl_info where{};
  if (!dladdr(code, &where) || !where.dli_fname) return {};
  char command[4600];
  snprintf(command, sizeof command, "env -u LD_PRELOAD addr2line -Cfi -e '%s' 0x%zx 2>/dev/null", where.dli_fname,
           (size_t)((uintptr_t)code - 1 - (uintptr_t)where.dli_fbase));
  std::vector<Frame> frames;
  std::vector<std::string> lines = lines_of(command);
  for (size_t i = 0; i + 1 < lines.size(); i += 2) frames.push_back({lines[i], lines[i + 1]});
  return frames;
}

// A path from the folder kernels/ on, where it has one.
std::string shortened(const std::string &file) {
  size_t at = file.rfind("/kernels/");
  std::string text = at == std::string::npos ? file : file.substr(at + 1);
  return text.substr(0, text.find(" (discriminator"));
}

bool is_of_a_kernel(const Frame &frame) {
  return frame.file.find(":?") == std::string::npos && frame.file.find("/mluops_tools/cpu/") == std::string::npos &&
         frame.file.find("/bits/") == std::string::npos && frame.file.find("/c++/") == std::string::npos;
}

// The name of a function without its return type, template arguments and parameters; empty for one of ours.
std::string plain(const std::string &function) {
  std::string name = function.substr(0, function.find_first_of("(<"));
  name = name.substr(name.rfind(' ') + 1);
  return name.find("mlucpu::") == std::string::npos && name != "operator" ? name : "";
}

// "kernels/x.mlu:12 (function)".
std::string called(const Frame &frame) {
  std::string name = plain(frame.function);
  return shortened(frame.file) + (name.empty() ? "" : " (" + name + ")");
}

}  // namespace

std::string place_of(const void *code) {
  for (const Frame &frame : frames_at(code)) {
    if (is_of_a_kernel(frame)) return shortened(frame.file);
  }
  return "an unknown place";
}

std::string place_here() {
  void *codes[64];
  int count = backtrace(codes, 64);
  std::string intrinsic, text;
  int named = 0;
  for (int i = 1; i < count && named < 3; i++) {
    for (const Frame &frame : frames_at(codes[i])) {
      std::string name = plain(frame.function);
      if (!is_of_a_kernel(frame)) {
        if (!named && name.compare(0, 2, "__") == 0 && name.compare(0, 6, "__tsan") != 0) intrinsic = name;
      } else if (named == 0 || !name.empty()) {
        named++;
        text += (text.empty() ? (intrinsic.empty() ? "" : intrinsic + " at ") : ", called from ") + called(frame);
      }
    }
  }
  return text.empty() ? "an unknown place" : text;
}

void trap(const std::string &what) {
  fail_kernel(what + "\n  in " + place_here());
}

void trapf(const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  trap(text);
}

}  // namespace mlucpu
