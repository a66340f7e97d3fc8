// Where a run of a test can be noted: in front of the statements that hold calls and assertions.
#pragma once

#include <clang/AST/ASTContext.h>

#include <optional>
#include <utility>
#include <vector>

#include "coverage/source/scout/edited_text.hpp"

namespace morph::source::scouting {

/// Of the unit's own file; a place is a byte of it, where a statement of its own may be put.
class stop_places {
 public:
  explicit stop_places(clang::ASTContext& context);

  /// In front of the innermost statement between braces that holds it. Nothing in other files, and behind a `case`.
  std::optional<unsigned> in_front_of(clang::SourceRange held) const;
  /// Behind the first brace, and the last one.
  std::optional<std::pair<unsigned, unsigned>> body_of(const clang::FunctionDecl& function) const;

 private:
  struct statement {
    unsigned begin = 0, end = 0;
    bool is_labelled = false;
  };
  clang::FileID file_{};
  edited_text text_;
  std::vector<statement> statements_{};
};

}  // namespace morph::source::scouting
