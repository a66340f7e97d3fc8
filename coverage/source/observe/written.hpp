// Where code is written in a file, macro arguments too, and what types are called there.
#pragma once

#include <clang/AST/ASTContext.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "coverage/source/clang/files.hpp"

namespace morph::source {

struct written_range {
  std::string file;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string_view text{};
};

class written_code {
 public:
  written_code(clang::ASTContext& context, const file_choice& chosen) : context_(context), chosen_(chosen) {}

  /// Nothing if it is not written as one piece in a file of the choice.
  std::optional<written_range> range(clang::SourceRange of);

  std::uint32_t line(clang::SourceLocation at) const;
  std::uint32_t column(clang::SourceLocation at) const;

 private:
  const std::string& file_of(clang::FileID id);

  clang::ASTContext& context_;
  const file_choice& chosen_;
  std::map<clang::FileID, std::string> files_;  // empty: not of the choice
};

/// As it can be named at the end of the unit; nothing if it cannot.
std::optional<std::string> name_at_end(clang::QualType type, clang::ASTContext& context);

}  // namespace morph::source
