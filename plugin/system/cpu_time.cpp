// What the kernel counts of us and of our children.
#include "plugin/system/cpu_time.hpp"

#include <sys/resource.h>

namespace morph::system {
namespace {

double cpu_seconds(int of) {
  rusage used{};
  ::getrusage(of, &used);
  return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

}  // namespace

double cpu_seconds() {
  return cpu_seconds(RUSAGE_SELF) + cpu_seconds(RUSAGE_CHILDREN);
}

}  // namespace morph::system
