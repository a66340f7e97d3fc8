// Text of a source in which parts are replaced.
#pragma once

#include <clang/Basic/LangOptions.h>
#include <clang/Basic/SourceManager.h>

#include <map>
#include <optional>
#include <string>

namespace morph::source::scouting {

/// Bytes of a file; a range of tokens as it is written.
struct text_range {
  clang::FileID file{};
  unsigned begin = 0, end = 0;

  bool contains(const text_range& other) const {
    return file == other.file && begin <= other.begin && other.end <= end;
  }
};

class edited_text {
 public:
  edited_text(const clang::SourceManager& sources, const clang::LangOptions& language)
      : sources_(sources), language_(language) {}

  /// What an argument of a macro was written as; what a macro has made is the macro's call.
  std::optional<text_range> range_of(clang::SourceRange of) const;
  std::string original(const text_range& of) const;

  /// Ranges that are replaced lie apart, or one in the other: then the outer one counts.
  void replace(const text_range& what, std::string by);
  std::string text(const text_range& of) const;

 private:
  const clang::SourceManager& sources_;
  const clang::LangOptions& language_;
  std::map<std::pair<clang::FileID, unsigned>, std::pair<unsigned, std::string>> edits_{};  // begin: end, text
};

}  // namespace morph::source::scouting
