// The three calls of Landlock, which the C library has no functions for.
#include "plugin/system/limited_writes.hpp"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace morph::system {
namespace {

// Of newer headers than some systems have.
constexpr std::uint64_t refer = 1ULL << 13, truncate = 1ULL << 14;

constexpr std::uint64_t writing = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                  LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                  LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                                  LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                                  LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM | refer | truncate;

}  // namespace

std::optional<write_limit> write_limit::below(const std::vector<std::filesystem::path>& folders) {
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 3) return std::nullopt;  // truncating was not covered before
  landlock_ruleset_attr handled{};
  handled.handled_access_fs = writing;
  descriptor rules(
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &handled, sizeof handled.handled_access_fs, 0)));
  if (rules.get() < 0) return std::nullopt;
  for (const std::filesystem::path& each : folders) {
    const descriptor folder(::open(each.c_str(), O_PATH | O_CLOEXEC));
    if (folder.get() < 0) continue;  // what is not there cannot be written to
    landlock_path_beneath_attr allowed{};
    allowed.allowed_access = handled.handled_access_fs;
    allowed.parent_fd = folder.get();
    if (::syscall(SYS_landlock_add_rule, rules.get(), LANDLOCK_RULE_PATH_BENEATH, &allowed, 0) != 0)
      return std::nullopt;
  }
  return write_limit(std::move(rules));
}

void write_limit::restrict_this_process() const {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || ::syscall(SYS_landlock_restrict_self, rules_.get(), 0) != 0)
    ::_exit(126);
}

}  // namespace morph::system
