// Ranges of tokens to bytes, by way of macros.
#include "coverage/source/branches/written.hpp"

#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <string_view>

namespace morph::source {
namespace {

bool holds_directive(std::string_view text) {
  for (auto at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    const auto first = text.find_first_not_of(" \t", at + 1);
    if (first != std::string_view::npos && text[first] == '#') return true;
  }
  return false;
}

}  // namespace

written_file::written_file(const clang::ASTContext& context, clang::FileID id)
    : context_(context), sources_(context.getSourceManager()), id_(id) {}

std::optional<byte_range> written_file::in_file(clang::SourceLocation begin, clang::SourceLocation last_token) const {
  const auto [file, from] = sources_.getDecomposedLoc(begin);
  const auto [end_file, last] = sources_.getDecomposedLoc(last_token);
  if (file != id_ || end_file != id_) return std::nullopt;
  const auto to = last + clang::Lexer::MeasureTokenLength(last_token, sources_, context_.getLangOpts());
  if (to < from) return std::nullopt;
  return byte_range{from, to};
}

std::optional<byte_range> written_file::range(clang::SourceRange of) const {
  if (of.isInvalid()) return std::nullopt;
  clang::SourceLocation begin = of.getBegin(), end = of.getEnd();
  const clang::LangOptions& language = context_.getLangOpts();
  if (begin.isMacroID() && !clang::Lexer::isAtStartOfMacroExpansion(of.getBegin(), sources_, language, &begin))
    return std::nullopt;
  if (end.isMacroID() && !clang::Lexer::isAtEndOfMacroExpansion(of.getEnd(), sources_, language, &end))
    return std::nullopt;
  const auto found = in_file(begin, end);
  if (!found) return std::nullopt;
  const llvm::StringRef text = sources_.getBufferData(id_).substr(found->begin, found->end - found->begin);
  return holds_directive({text.data(), text.size()}) ? std::nullopt : found;
}

std::optional<byte_range> written_file::surroundings(clang::SourceRange of) const {
  if (of.isInvalid()) return std::nullopt;
  return in_file(sources_.getExpansionLoc(of.getBegin()), sources_.getExpansionRange(of.getEnd()).getEnd());
}

std::uint32_t written_file::behind(clang::SourceLocation token) const {
  if (token.isInvalid()) return 0;
  const auto found = in_file(token, token);
  return found ? found->end : 0;
}

std::uint32_t written_file::line(std::uint32_t offset) const {
  return sources_.getLineNumber(id_, offset);
}

std::string written_file::text(byte_range of, std::size_t most) const {
  std::string flat;
  bool was_blank = true;
  for (const char c : sources_.getBufferData(id_).substr(of.begin, of.end - of.begin)) {
    const bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!is_blank) flat += c;
    if (is_blank && !was_blank) flat += ' ';
    was_blank = is_blank;
  }
  if (flat.size() <= most) return flat;
  std::size_t cut = most - 3;
  while (cut > 0 && (static_cast<unsigned char>(flat[cut]) & 0xC0U) == 0x80) --cut;  // no half characters
  return flat.substr(0, cut) + "...";
}

}  // namespace morph::source
