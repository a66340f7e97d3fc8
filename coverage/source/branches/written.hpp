// Nodes as bytes of the file that they are written in.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceLocation.h>

#include <optional>
#include <string>

#include "coverage/source/branches/branch.hpp"

namespace morph::source {

/// One file of a unit. Costs nothing to make.
class written_file {
 public:
  written_file(const clang::ASTContext& context, clang::FileID id);

  /// The bytes of what is written in this file: as it stands there, or as whole invocations of macros. Nothing if a
  /// part of it stems from a macro, or a line of preprocessing stands within.
  std::optional<byte_range> range(clang::SourceRange of) const;
  /// The same with the invocations of macros that it stems from, and what else stands there.
  std::optional<byte_range> surroundings(clang::SourceRange of) const;
  /// Behind a token that is written in this file; 0 if it is not.
  std::uint32_t behind(clang::SourceLocation token) const;
  std::uint32_t line(std::uint32_t offset) const;
  /// On one line and cut to `most` bytes.
  std::string text(byte_range of, std::size_t most) const;

 private:
  std::optional<byte_range> in_file(clang::SourceLocation begin, clang::SourceLocation last_token) const;

  const clang::ASTContext& context_;
  const clang::SourceManager& sources_;
  clang::FileID id_;
};

}  // namespace morph::source
