// Names and comments that make code arid.
#include "coverage/source/mutants/arid.hpp"

#include <clang/AST/Decl.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <array>
#include <string>

namespace morph::source {
namespace {

template <std::size_t Count>
bool is_one_of(std::string_view word, const std::array<std::string_view, Count>& words) {
  return std::ranges::find(words, word) != words.end();
}

constexpr std::array<std::string_view, 12> macro_words{"assert", "CHECK", "DCHECK", "DEBUG",  "DLOG", "LOG",
                                                       "LOGGER", "PLOG",  "TRACE",  "VCHECK", "VLOG", "debug"};
constexpr std::array<std::string_view, 5> logging_namespaces{"glog", "logger", "logging", "loguru", "spdlog"};
constexpr std::array<std::string_view, 4> error_streams{"cerr", "clog", "wcerr", "wclog"};
constexpr std::array<std::string_view, 3> system_logs{"perror", "syslog", "vsyslog"};
constexpr std::array<std::string_view, 7> to_stream{"fprintf", "vfprintf", "fputs", "fputc",
                                                    "putc",    "fwrite",   "fflush"};

std::string_view view(llvm::StringRef text) {
  return {text.data(), text.size()};
}

bool says_so(std::string_view name) {
  for (const std::string_view word : {"log", "debug", "trace"}) {
    if (name.starts_with(word) && name.substr(word.size()).starts_with('_')) return true;
    const bool capital =
        name.size() > word.size() && name[0] == word[0] - 'a' + 'A' && name.substr(1).starts_with(word.substr(1));
    if (capital && name[word.size()] >= 'A' && name[word.size()] <= 'Z') return true;
  }
  return name == "debug" || name == "trace";
}

bool is_error_stream(const clang::Expr& of) {
  const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(of.IgnoreParenImpCasts());
  if (named == nullptr || !named->getDecl()->getIdentifier()) return false;
  if (named->getDecl()->isInStdNamespace()) return is_one_of(view(named->getDecl()->getName()), error_streams);
  return view(named->getDecl()->getName()) == "stderr";
}

/// The first operand of a chain of `<<`.
const clang::Expr& start_of_chain(const clang::Expr& of) {
  const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(of.IgnoreImplicit());
  return call != nullptr && call->getOperator() == clang::OO_LessLess && call->getNumArgs() == 2
             ? start_of_chain(*call->getArg(0))
             : *of.IgnoreImplicit();
}

bool is_logging_call(const clang::CallExpr& call) {
  const clang::FunctionDecl* const callee = call.getDirectCallee();
  if (callee == nullptr || !callee->getIdentifier()) return false;
  const std::string_view name = view(callee->getName());
  for (const auto* around = callee->getDeclContext(); around != nullptr; around = around->getParent())
    if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(around);
        space != nullptr && is_one_of(view(space->getName()), logging_namespaces))
      return call.getType()->isVoidType();
  if (is_one_of(name, system_logs)) return true;
  if (is_one_of(name, to_stream))
    return std::any_of(call.arg_begin(), call.arg_end(),
                       [](const clang::Expr* each) { return is_error_stream(*each); });
  return call.getType()->isVoidType() && says_so(name);
}

}  // namespace

bool is_arid_macro(std::string_view name) {
  while (true) {
    const auto end = std::min(name.find('_'), name.size());
    const std::string_view word = name.substr(0, end);
    if (word.ends_with("ASSERT") || is_one_of(word, macro_words)) return true;
    if (end == name.size()) return false;
    name.remove_prefix(end + 1);
  }
}

bool is_in_arid_macro(clang::SourceLocation at, const clang::ASTContext& context) {
  const clang::SourceManager& sources = context.getSourceManager();
  for (; at.isMacroID(); at = sources.getImmediateMacroCallerLoc(at))
    if (is_arid_macro(view(clang::Lexer::getImmediateMacroName(at, sources, context.getLangOpts())))) return true;
  return false;
}

bool is_arid(const clang::Stmt& statement, const clang::ASTContext& context) {
  const auto* expression = llvm::dyn_cast<clang::Expr>(&statement);
  if (expression == nullptr || expression->isInstantiationDependent()) return false;
  const clang::Expr& start = start_of_chain(*expression);
  if (&start != expression->IgnoreImplicit())
    return is_error_stream(start) || is_in_arid_macro(start.getBeginLoc(), context);
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&start);
  return call != nullptr && is_logging_call(*call);
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> switched_off(std::string_view text) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> runs;
  if (text.find("morph:") == std::string_view::npos) return runs;
  const std::string copy(text);
  clang::Lexer lexer(clang::SourceLocation(), clang::LangOptions(), copy.data(), copy.data(),
                     copy.data() + copy.size());
  lexer.SetCommentRetentionState(true);
  const auto size = static_cast<std::uint32_t>(copy.size());
  std::uint32_t begun = size;  // where it was switched off
  for (clang::Token token;;) {
    lexer.LexFromRawLexer(token);
    if (token.is(clang::tok::eof)) break;
    if (token.isNot(clang::tok::comment)) continue;
    const auto end = static_cast<std::uint32_t>(lexer.getBufferLocation() - copy.data());
    const std::uint32_t begin = end - token.getLength();
    std::string_view said = std::string_view(copy).substr(begin + 2, end - begin - 2);
    if (copy[begin + 1] == '*') said.remove_suffix(2);
    const auto first = said.find_first_not_of(" \t");
    if (first == std::string_view::npos) continue;
    said = said.substr(first, said.find_last_not_of(" \t\r") + 1 - first);
    const bool off = said == "morph: off", on = said == "morph: on";
    if (!off && !on) continue;
    const auto line = static_cast<std::uint32_t>(copy.rfind('\n', begin) + 1);  // npos + 1 is 0
    const bool alone = copy.find_first_not_of(" \t", line) == begin;
    if (on && begun < size) {
      runs.emplace_back(begun, begin);
      begun = size;
    } else if (off && alone && begun == size) {
      begun = begin;
    } else if (off && !alone) {
      runs.emplace_back(line, end);
    }
  }
  if (begun < size) runs.emplace_back(begun, size);
  std::ranges::sort(runs);
  return runs;
}

}  // namespace morph::source
