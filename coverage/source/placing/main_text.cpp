// Locations through macros.
#include "coverage/source/placing/main_text.hpp"

#include <clang/Lex/Lexer.h>

#include <cctype>

namespace morph::source {

bool main_text::is_written(clang::SourceLocation at) const {
  for (; at.isMacroID(); at = sources_.getImmediateSpellingLoc(at))
    if (!sources_.isMacroArgExpansion(at)) return false;
  return at.isValid();
}

bool main_text::begins_at(clang::SourceLocation at, std::uint32_t line, std::uint32_t column) const {
  const clang::SourceLocation begin = sources_.getFileLoc(at);
  return begin.isValid() && sources_.getFileID(begin) == main_ && sources_.getSpellingLineNumber(begin) == line &&
         sources_.getSpellingColumnNumber(begin) == column;
}

std::optional<extent> main_text::written(clang::SourceRange of) const {
  const clang::SourceLocation begin = sources_.getFileLoc(of.getBegin()), end = sources_.getFileLoc(of.getEnd());
  if (begin.isInvalid() || end.isInvalid() || sources_.getFileID(begin) != main_ || sources_.getFileID(end) != main_)
    return std::nullopt;
  const auto last = clang::Lexer::getLocForEndOfToken(end, 0, sources_, context_.getLangOpts());
  extent made{sources_.getFileOffset(begin), sources_.getFileOffset(last)};
  if (made.begin >= made.end) return std::nullopt;
  return made;
}

std::optional<extent> main_text::statement(const clang::Stmt& of) const {
  const auto range = sources_.getExpansionRange(of.getSourceRange());
  auto made = written(clang::SourceRange(range.getBegin(), range.getEnd()));
  if (!made) return std::nullopt;
  const llvm::StringRef all = sources_.getBufferData(main_);
  if (all[made->end - 1] == ';') return made;
  std::uint32_t at = made->end;
  while (at < all.size() && std::isspace(static_cast<unsigned char>(all[at])) != 0) ++at;
  if (at < all.size() && all[at] == ';') made->end = at + 1;
  return made;
}

std::string main_text::text(extent of) const {
  return sources_.getBufferData(main_).substr(of.begin, of.end - of.begin).str();
}

std::string without_blanks(const std::string& text) {
  std::string made;
  for (const char c : text)
    if (std::isspace(static_cast<unsigned char>(c)) == 0) made += c;
  return made;
}

}  // namespace morph::source
