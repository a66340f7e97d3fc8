// The files that Clang sees: a mirrored tree as its original is, or with rewritten files in their places.
#pragma once

#include <llvm/ADT/IntrusiveRefCntPtr.h>

#include <string>
#include <vector>

namespace llvm::vfs {
class FileSystem;
}

namespace morph::source {

/// A file in `mirror` is read from the first of `from` that has it: folders, without a slash at their ends.
struct mirrored_tree {
  std::string mirror;
  std::vector<std::string> from;
};

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files_of(const mirrored_tree& tree);

}  // namespace morph::source
