// What of a linked file counts.
#include "plugin/changes/linked_digests.hpp"

#include <sys/stat.h>

#include "coverage/object/read/linked_digest.hpp"

namespace morph::changes {

linked_digests::linked_digests(const build::build_tree& tree)
    : tree_(tree), contents_(tree.own_dir() / "linked.json", [](const std::string& content) {
        return object::hex(object::digest_of_linked(content));
      }) {}

std::string linked_digests::of(const std::string& path) {
  const std::string file = (tree_.binary_dir / path).string();
  struct stat facts {};
  if (::stat(file.c_str(), &facts) != 0) return {};
  return contents_.of(file, facts).value_or("");
}

}  // namespace morph::changes
