// A declaration's files, in the order in which they declare it.
#include "coverage/source/describe/places.hpp"

#include <algorithm>

#include "coverage/source/describe/nameable.hpp"

namespace morph::source {
namespace {

/// In the order in which they were declared.
const clang::Decl* next_of(const clang::Decl& at, const clang::Decl& of) {
  const clang::Decl* next = nullptr;
  for (const clang::Decl* each = of.getMostRecentDecl(); each != &at && each != nullptr; each = each->getPreviousDecl())
    next = each;
  return next;
}

}  // namespace

place_in_header place_of(const clang::Decl& declaration) {
  const clang::SourceManager& sources = declaration.getASTContext().getSourceManager();
  const auto [file, offset] = sources.getDecomposedLoc(sources.getFileLoc(declaration.getLocation()));
  const auto entry = sources.getFileEntryRefForID(file);
  return {entry ? one_name(entry->getName()) : std::string(), sources.getLineNumber(file, offset),
          sources.getColumnNumber(file, offset)};
}

std::vector<std::string> included_by_main(const clang::SourceManager& sources, const file_choice& chosen) {
  std::vector<std::string> made;
  for (unsigned i = 0; i < sources.local_sloc_entry_size(); ++i) {
    const auto& entry = sources.getLocalSLocEntry(i);
    if (!entry.isFile()) continue;
    const auto file = entry.getFile().getContentCache().OrigEntry;
    const clang::SourceLocation from = entry.getFile().getIncludeLoc();
    if (!file || from.isInvalid() || !sources.isWrittenInMainFile(from)) continue;
    std::string name = one_name(file->getName());
    if (chosen.contains(name) && std::ranges::find(made, name) == made.end()) made.push_back(std::move(name));
  }
  return made;
}

std::optional<place_in_header> header_places::of(const clang::Decl& declaration) {
  for (const clang::Decl* at = declaration.getCanonicalDecl(); at != nullptr; at = next_of(*at, declaration)) {
    const clang::FileID file = sources_.getFileID(sources_.getFileLoc(at->getLocation()));
    const auto [known, is_new] = is_chosen_.try_emplace(file);
    if (is_new) {
      const auto entry = sources_.getFileEntryRefForID(file);
      known->second = entry && chosen_.contains(one_name(entry->getName())) &&
                      (file != sources_.getMainFileID() || is_in_header(*at));
    }
    if (known->second) return place_of(*at);
  }
  return std::nullopt;
}

}  // namespace morph::source
