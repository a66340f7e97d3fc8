// Where the reader of a unit stands, for mutation operators: the text of what they look at, and what is around it.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Type.h>
#include <clang/Basic/SourceLocation.h>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coverage/mutation/place.hpp"
#include "coverage/source/clang/files.hpp"

namespace morph::source {

/// Bytes [begin, end) of one file that is mutated.
struct text_range {
  std::size_t file = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool in_macro = false;  // spelled as an argument of a macro

  bool contains(const text_range& other) const {
    return file == other.file && begin <= other.begin && other.end <= end;
  }
};

class site {
 public:
  site(clang::ASTContext& of, const file_choice& chosen);

  // ---- what operators ask

  clang::ASTContext& context;

  /// The text of a node, if it stands whole in a file that is mutated: as it is, or as an argument of a macro.
  std::optional<text_range> range(clang::SourceRange of);
  std::optional<text_range> range(const clang::Stmt& of) { return range(of.getSourceRange()); }
  std::string_view original(const text_range& of) const;
  /// On one line, without comments. Nothing if it is too long to stand in alternatives, or has a literal of several
  /// lines.
  std::optional<std::string> text(const text_range& of) const;
  std::optional<std::string> text(const clang::Stmt& of);

  /// As it can be written anywhere in the unit. Nothing in instances of templates, where it would name one of several.
  std::optional<std::string> type_name(clang::QualType type) const;
  /// The same with the names of types that the source uses: for what people read.
  std::optional<std::string> written_type_name(clang::QualType type) const;

  /// What contains the node that is looked at, nearest last.
  std::span<const clang::Stmt* const> around() const { return around_; }
  /// The nearest that is not a parenthesis or of the compiler's making.
  const clang::Stmt* parent() const;
  bool in_instance() const { return in_instance_; }
  /// C++11: a constexpr function is one return statement.
  bool in_single_return() const { return in_single_return_; }
  const clang::FunctionDecl* function() const { return function_; }

  // ---- what they say

  void propose(const text_range& where, mutation::place_kind kind, std::string type, std::string_view op,
               std::string text);
  void propose(const text_range& where, std::string_view op, std::string text) {
    propose(where, mutation::place_kind::expression, {}, op, std::move(text));
  }
  void leave_out(std::string_view reason) { ++left_out_[std::string(reason)]; }

 private:
  friend class reader;

  struct found_file {
    std::string path;
    clang::FileID id;
    std::string_view text;
    mutation::file_places places{};
    std::vector<std::pair<std::uint32_t, std::uint32_t>> off{};  // bytes that comments switch off
  };

  std::optional<std::size_t> file_of(clang::FileID id);
  void look_at(const clang::Expr* expression) {
    looked_at_ = expression;
    is_judged_ = false;
  }
  const std::optional<std::string>& pure_text();

  const file_choice& chosen_;
  std::map<clang::FileID, std::optional<std::size_t>> known_;
  std::vector<found_file> files_;
  std::vector<const clang::Stmt*> around_;
  const clang::FunctionDecl* function_ = nullptr;
  bool in_instance_ = false;
  bool in_single_return_ = false;
  bool at_compile_time_ = false;
  std::map<std::string, std::uint32_t> left_out_;
  const clang::Expr* looked_at_ = nullptr;  // whose alternatives are proposed
  std::optional<std::string> pure_text_;    // of it, once it is known to be pure
  bool is_judged_ = false;
};

}  // namespace morph::source
