// Archives by LLVM's reader: GNU and BSD ones, thin ones.
#include "coverage/object/read/archive.hpp"

#include <fmt/format.h>
#include <llvm/Object/Archive.h>

#include <filesystem>
#include <map>

namespace morph::object {

bool is_archive(std::string_view bytes) {
  return bytes.starts_with("!<arch>\n") || bytes.starts_with("!<thin>\n");
}

tl::expected<std::vector<archive_member>, std::string> members_of(std::string_view bytes, std::string_view path) {
  const auto damaged = [&](llvm::Error error) {
    return tl::unexpected(
        fmt::format("the archive '{}' is damaged: {}; build it again", path, llvm::toString(std::move(error))));
  };
  const std::string own_path(path);
  auto archive = llvm::object::Archive::create({{bytes.data(), bytes.size()}, own_path});
  if (!archive) return damaged(archive.takeError());
  std::vector<archive_member> members;
  std::map<std::string, int> seen;
  llvm::Error error = llvm::Error::success();
  for (const auto& child : (*archive)->children(error)) {
    auto name = child.getName();
    if (!name) {
      llvm::consumeError(std::move(error));
      return damaged(name.takeError());
    }
    archive_member& member = members.emplace_back();
    member.name = name->str();
    if ((*archive)->isThin()) {
      auto full = child.getFullName();
      if (!full) {
        llvm::consumeError(std::move(error));
        return damaged(full.takeError());
      }
      member.path = *full;
    } else {
      auto content = child.getBuffer();
      if (!content) {
        llvm::consumeError(std::move(error));
        return damaged(content.takeError());
      }
      member.bytes = {content->data(), content->size()};
    }
    if (const int number = ++seen[member.name]; number > 1) member.name += fmt::format("#{}", number);
  }
  if (error) return damaged(std::move(error));
  return members;
}

}  // namespace morph::object
