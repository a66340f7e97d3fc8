// A layer over the file system for Clang.
#include "coverage/source/clang/mirror_files.hpp"

#include <llvm/Support/Path.h>
#include <llvm/Support/VirtualFileSystem.h>

namespace morph::source {
namespace {

class mirror_files : public llvm::vfs::ProxyFileSystem {
 public:
  explicit mirror_files(const mirrored_tree& tree)
      : ProxyFileSystem(llvm::vfs::createPhysicalFileSystem()), tree_(tree) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override {
    const auto found = original(path);
    auto status = ProxyFileSystem::status(found);
    if (!status) return status;
    return llvm::vfs::Status::copyWithNewName(*status, path);
  }

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override {
    return llvm::vfs::File::getWithPath(ProxyFileSystem::openFileForRead(original(path)), path);
  }

 private:
  std::string original(const llvm::Twine& path) {
    llvm::SmallString<256> absolute;
    path.toVector(absolute);
    if (makeAbsolute(absolute)) return path.str();
    llvm::sys::path::remove_dots(absolute, true);
    const llvm::StringRef name = absolute;
    if (!name.starts_with(tree_.mirror) || name.size() <= tree_.mirror.size() || name[tree_.mirror.size()] != '/')
      return path.str();
    for (const std::string& folder : tree_.from) {
      std::string there = folder + name.substr(tree_.mirror.size()).str();
      if (&folder == &tree_.from.back() || ProxyFileSystem::exists(there)) return there;
    }
    return path.str();
  }

  mirrored_tree tree_;
};

}  // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files_of(const mirrored_tree& tree) {
  return llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>(new mirror_files(tree));
}

}  // namespace morph::source
