// Where a run of a test can be noted: in front of the statements that hold calls and assertions.
#pragma once

#include <clang/AST/ASTContext.h>

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "coverage/source/scout/edited_text.hpp"

namespace morph::source::scouting {

/// Of the unit's own file; a place is a byte of it, where a statement of its own may be put.
class stop_places {
 public:
  explicit stop_places(clang::ASTContext& context);

  /// In front of the innermost statement that holds it. Nothing in other files, behind a `case`, and in
  /// the head of a loop.
  std::optional<unsigned> in_front_of(clang::SourceRange held);
  /// Those of the places so far where braces are missing, and where they have to be closed.
  const std::map<unsigned, unsigned>& without_braces() const { return without_braces_; }
  /// Behind the first brace, and the last one.
  std::optional<std::pair<unsigned, unsigned>> body_of(const clang::FunctionDecl& function) const;

 private:
  struct statement {
    unsigned begin = 0, end = 0;
    bool is_entered_elsewhere = false;  // behind a label, or again and again as a loop
    bool is_bare = false;               // behind `if (...)`, `else` and the like
  };
  void note(const clang::Stmt& each, bool is_bare);
  void note_bare(const clang::Stmt* body);
  clang::FileID file_{};
  edited_text text_;
  llvm::StringRef whole_{};
  std::vector<statement> statements_{};
  std::map<unsigned, unsigned> without_braces_{};
};

}  // namespace morph::source::scouting
