// Where headers declare what a unit sees.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/Basic/SourceManager.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "coverage/source/clang/files.hpp"

namespace morph::source {

struct place_in_header {
  std::string file;
  unsigned line = 0, column = 0;

  auto operator<=>(const place_in_header&) const = default;
};

/// Where a declaration is, with the name of its file.
place_in_header place_of(const clang::Decl& declaration);

/// Those of the choice that the unit itself includes, in its order.
std::vector<std::string> included_by_main(const clang::SourceManager& sources, const file_choice& chosen);

/// Places in the headers of a choice. It is asked for each file once.
class header_places {
 public:
  header_places(clang::ASTContext& context, const file_choice& chosen)
      : sources_(context.getSourceManager()), chosen_(chosen) {}

  /// Of the first of its declarations that is in a header of the choice.
  std::optional<place_in_header> of(const clang::Decl& declaration);

 private:
  const clang::SourceManager& sources_;
  const file_choice& chosen_;
  std::map<clang::FileID, bool> is_chosen_;
};

}  // namespace morph::source
