// Where tokens are written, and their text with the replacements.
#include "coverage/source/scout/edited_text.hpp"

#include <clang/Lex/Lexer.h>

namespace morph::source::scouting {
namespace {

/// In a file: through arguments of macros to where they are written, out of macros to where they are called.
clang::SourceLocation in_file(clang::SourceLocation at, const clang::SourceManager& sources, bool is_end) {
  while (at.isMacroID()) {
    if (sources.isMacroArgExpansion(at)) {
      at = sources.getImmediateSpellingLoc(at);
    } else {
      const clang::CharSourceRange call = sources.getImmediateExpansionRange(at);
      at = is_end ? call.getEnd() : call.getBegin();
    }
  }
  return at;
}

}  // namespace

std::optional<text_range> edited_text::range_of(clang::SourceRange of) const {
  const clang::SourceLocation begin = in_file(of.getBegin(), sources_, false),
                              end = in_file(of.getEnd(), sources_, true);
  if (begin.isInvalid() || end.isInvalid()) return std::nullopt;
  const auto [file, from] = sources_.getDecomposedLoc(begin);
  const auto [other, last] = sources_.getDecomposedLoc(end);
  if (file != other || last < from) return std::nullopt;
  return text_range{file, from, last + clang::Lexer::MeasureTokenLength(end, sources_, language_)};
}

std::string edited_text::original(const text_range& of) const {
  return sources_.getBufferData(of.file).substr(of.begin, of.end - of.begin).str();
}

void edited_text::replace(const text_range& what, std::string by) {
  edits_.insert_or_assign({what.file, what.begin}, std::pair{what.end, std::move(by)});
}

std::string edited_text::text(const text_range& of) const {
  const llvm::StringRef whole = sources_.getBufferData(of.file);
  std::string made;
  unsigned at = of.begin;
  for (auto each = edits_.lower_bound({of.file, of.begin}); each != edits_.end(); ++each) {
    const auto& [where, what] = *each;
    if (where.first != of.file || where.second >= of.end) break;
    if (where.second < at || what.first > of.end) continue;
    made.append(whole.substr(at, where.second - at)).append(what.second);
    at = what.first;
  }
  return made.append(whole.substr(at, of.end - at));
}

}  // namespace morph::source::scouting
