// Ranges, macros and types at a node.
#include "coverage/source/mutants/site.hpp"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/QualTypeNames.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>

#include "coverage/source/mutants/arid.hpp"
#include "coverage/source/mutants/operators.hpp"
#include "coverage/source/mutants/purity.hpp"

namespace morph::source {
namespace {

constexpr std::size_t longest_text = 1000;  // of an alternative: nested ones repeat it

/// Whether a line of preprocessing stands within.
bool has_directive(std::string_view text) {
  for (auto at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    const auto first = text.find_first_not_of(" \t", at + 1);
    if (first != std::string_view::npos && text[first] == '#') return true;
  }
  return false;
}

bool is_comparable(std::string_view op, std::string_view alternative, const std::optional<std::string>& left) {
  const auto all = operators();
  const auto row = std::ranges::find(all, op, &mutation_operator::name);
  return row != all.end() && row->is_comparable != nullptr && row->is_comparable(alternative, left);
}

}  // namespace

site::site(clang::ASTContext& of, const file_choice& chosen) : context(of), chosen_(chosen) {}

std::optional<std::size_t> site::file_of(clang::FileID id) {
  const auto [found, is_new] = known_.try_emplace(id);
  if (!is_new) return found->second;
  const clang::SourceManager& sources = context.getSourceManager();
  const auto entry = sources.getFileEntryRefForID(id);
  if (!entry) return std::nullopt;
  const std::string path = one_name(entry->getName());
  if (!chosen_.contains(path)) return std::nullopt;
  const llvm::StringRef text = sources.getBufferData(id);
  // A file that is included several times is one.
  const auto same = std::ranges::find(files_, path, &found_file::path);
  if (same == files_.end()) {
    found->second = files_.size();
    const std::string_view content(text.data(), text.size());
    files_.push_back({path, id, content, {}, switched_off(content)});
  } else {
    found->second = static_cast<std::size_t>(same - files_.begin());
  }
  return found->second;
}

std::optional<text_range> site::range(clang::SourceRange of) {
  if (of.isInvalid()) return std::nullopt;
  const clang::SourceManager& sources = context.getSourceManager();
  const auto spelled =
      clang::Lexer::makeFileCharRange(clang::CharSourceRange::getTokenRange(of), sources, context.getLangOpts());
  if (spelled.isInvalid()) return std::nullopt;
  const auto [file, begin] = sources.getDecomposedLoc(spelled.getBegin());
  const auto [end_file, end] = sources.getDecomposedLoc(spelled.getEnd());
  if (file != end_file || end < begin) return std::nullopt;
  const auto index = file_of(file);
  if (!index) return std::nullopt;
  const text_range found{*index, begin, end, of.getBegin().isMacroID()};
  if (found.in_macro && is_in_arid_macro(of.getBegin(), context)) {
    leave_out("logging or assertion");
    return std::nullopt;
  }
  if (has_directive(original(found))) {
    leave_out("has a line of preprocessing within");
    return std::nullopt;
  }
  return found;
}

std::string_view site::original(const text_range& of) const {
  return files_[of.file].text.substr(of.begin, of.end - of.begin);
}

std::optional<std::string> site::text(const text_range& of) const {
  const std::string_view from = original(of);
  std::string flat;
  if (from.find_first_of("\n\r/\\") == std::string_view::npos) {
    flat = from;
  } else {
    // Raw: what is between tokens becomes one blank.
    const std::string copy(from);
    clang::Lexer lexer(clang::SourceLocation(), context.getLangOpts(), copy.data(), copy.data(),
                       copy.data() + copy.size());
    for (clang::Token token;;) {
      lexer.LexFromRawLexer(token);
      if (token.is(clang::tok::eof)) break;
      if (!flat.empty() && (token.hasLeadingSpace() || token.isAtStartOfLine())) flat += ' ';
      flat.append(lexer.getBufferLocation() - token.getLength(), token.getLength());
    }
    if (flat.find_first_of("\n\r") != std::string::npos) return std::nullopt;
    const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
    if (is_blank(from.front())) flat = " " + flat;
    if (is_blank(from.back())) flat += ' ';
  }
  if (flat.size() > longest_text) return std::nullopt;
  return flat;
}

std::optional<std::string> site::text(const clang::Stmt& of) {
  const auto where = range(of);
  return where ? text(*where) : std::nullopt;
}

std::optional<std::string> site::type_name(clang::QualType type) const {
  type = type.getCanonicalType().getUnqualifiedType();
  if (type->isBuiltinType()) return type.getAsString(clang::PrintingPolicy(context.getLangOpts()));
  if (in_instance_ || type->isDependentType() || type->isVariablyModifiedType()) return std::nullopt;
  if (const auto* tag = type->getAsTagDecl();
      tag != nullptr && (tag->getDeclContext()->isFunctionOrMethod() || !tag->getIdentifier()))
    return std::nullopt;
  clang::PrintingPolicy policy(context.getLangOpts());
  policy.SuppressUnwrittenScope = true;
  const std::string name = clang::TypeName::getFullyQualifiedName(type, context, policy, true);
  return name.starts_with("::") ? " " + name : name;  // `<::` begins otherwise before C++11
}

std::optional<std::string> site::written_type_name(clang::QualType type) const {
  const auto canonical = type_name(type);
  if (!canonical || type->isBuiltinType()) return canonical;
  clang::PrintingPolicy policy(context.getLangOpts());
  policy.SuppressUnwrittenScope = true;
  return clang::TypeName::getFullyQualifiedName(type.getUnqualifiedType(), context, policy);
}

const clang::Stmt* site::parent() const {
  for (auto i = around_.rbegin(); i != around_.rend(); ++i)
    if (!llvm::isa<clang::ParenExpr, clang::ImplicitCastExpr, clang::FullExpr, clang::MaterializeTemporaryExpr,
                   clang::CXXBindTemporaryExpr>(*i))
      return *i;
  return nullptr;
}

const std::optional<std::string>& site::pure_text() {
  if (is_judged_) return pure_text_;
  is_judged_ = true;
  pure_text_.reset();
  if (looked_at_ != nullptr && looked_at_->getType()->isScalarType() && is_pure(*looked_at_))
    pure_text_ = text(*looked_at_);
  return pure_text_;
}

void site::propose(const text_range& where, mutation::place_kind kind, std::string type, std::string_view op,
                   std::string text) {
  if (in_instance_ && !type.empty() && type != "bool") return;
  if (std::ranges::any_of(files_[where.file].off,
                          [&](const auto& run) { return run.first <= where.begin && where.begin < run.second; }))
    return leave_out("switched off by a comment");
  if (at_compile_time_) {
    files_[where.file].places.compile_time.push_back(
        {where.begin, where.end, kind, {}, {{std::string(op), std::move(text), false}}, {}});
    return;
  }
  mutation::place made{where.begin, where.end, kind, std::move(type), {}, {}};
  const auto* sides = llvm::dyn_cast_or_null<clang::BinaryOperator>(looked_at_);
  const bool is_pure = kind == mutation::place_kind::expression && pure_text().has_value() &&
                       is_comparable(op, text, sides == nullptr ? std::nullopt : this->text(*sides->getLHS()));
  if (is_pure) made.original = *pure_text();
  made.alternatives.push_back({std::string(op), std::move(text), is_pure});
  // One each; the places of a file are put in order when all is found.
  files_[where.file].places.places.push_back(std::move(made));
}

}  // namespace morph::source
