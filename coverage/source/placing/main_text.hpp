// Where nodes are written in the main file of a unit, arguments of macros too.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>

#include <cstdint>
#include <optional>
#include <string>

namespace morph::source {

struct extent {
  std::uint32_t begin = 0, end = 0;
};

class main_text {
 public:
  explicit main_text(const clang::ASTContext& context)
      : context_(context), sources_(context.getSourceManager()), main_(sources_.getMainFileID()) {}

  /// In the file, or as an argument of a macro: no macro's own text.
  bool is_written(clang::SourceLocation at) const;
  /// Whether it is written there; both from 1, columns are bytes.
  bool begins_at(clang::SourceLocation at, std::uint32_t line, std::uint32_t column) const;
  /// An argument of a macro is where it stands. Nothing if it is in another file.
  std::optional<extent> written(clang::SourceRange of) const;
  /// Of a statement, with the whole macro that it may be, and its semicolon.
  std::optional<extent> statement(const clang::Stmt& of) const;
  std::string text(extent of) const;

 private:
  const clang::ASTContext& context_;
  const clang::SourceManager& sources_;
  clang::FileID main_;
};

std::string without_blanks(const std::string& text);

}  // namespace morph::source
