// Statements are compared by where they are written: a template's instances are written once.
#include "coverage/source/scout/stops.hpp"

#include <clang/AST/Stmt.h>

#include "coverage/source/clang/walk.hpp"

namespace morph::source::scouting {

stop_places::stop_places(clang::ASTContext& context)
    : file_(context.getSourceManager().getMainFileID()), text_(context.getSourceManager(), context.getLangOpts()) {
  const clang::SourceManager& sources = context.getSourceManager();
  whole_ = sources.getBufferData(file_);
  const auto look = [this](const clang::Stmt& each) {
    if (const auto* const block = clang::dyn_cast<clang::CompoundStmt>(&each)) {
      for (const clang::Stmt* const one : block->body()) note(*one, false);
    } else if (each.getBeginLoc().isMacroID()) {
      return true;  // what a macro has written around a statement of the test's is the macro's
    } else if (const auto* const decision = clang::dyn_cast<clang::IfStmt>(&each)) {
      note_bare(decision->getThen());
      note_bare(decision->getElse());
    } else if (const auto* const loop = clang::dyn_cast<clang::ForStmt>(&each)) {
      note_bare(loop->getBody());
    } else if (const auto* const range = clang::dyn_cast<clang::CXXForRangeStmt>(&each)) {
      note_bare(range->getBody());
    } else if (const auto* const again = clang::dyn_cast<clang::WhileStmt>(&each)) {
      note_bare(again->getBody());
    }
    return true;
  };
  for (clang::Decl* const each : context.getTranslationUnitDecl()->decls())
    if (sources.getFileID(sources.getExpansionLoc(each->getLocation())) == file_) walk(each, {.statement = look});
}

void stop_places::note(const clang::Stmt& each, bool is_bare) {
  if (const auto where = text_.range_of(each.getSourceRange()); where && where->file == file_)
    statements_.push_back(
        {where->begin, where->end,
         clang::isa<clang::SwitchCase, clang::LabelStmt, clang::ForStmt, clang::WhileStmt, clang::DoStmt>(each),
         is_bare});
}

void stop_places::note_bare(const clang::Stmt* body) {
  if (body != nullptr && !clang::isa<clang::CompoundStmt>(body)) note(*body, true);
}

std::optional<unsigned> stop_places::in_front_of(clang::SourceRange held) {
  const auto where = text_.range_of(held);
  if (!where || where->file != file_) return std::nullopt;
  const statement* innermost = nullptr;
  for (const statement& each : statements_)
    if (each.begin <= where->begin && where->begin < each.end &&
        (innermost == nullptr || innermost->end - innermost->begin > each.end - each.begin))
      innermost = &each;
  if (innermost == nullptr || innermost->is_entered_elsewhere) return std::nullopt;
  if (innermost->is_bare) {
    const std::size_t close = whole_.find(';', innermost->end);
    if (close == llvm::StringRef::npos || !whole_.slice(innermost->end, close).trim().empty()) return std::nullopt;
    without_braces_[innermost->begin] = static_cast<unsigned>(close + 1);
  }
  return innermost->begin;
}

std::optional<std::pair<unsigned, unsigned>> stop_places::body_of(const clang::FunctionDecl& function) const {
  const auto body = text_.range_of(function.getBody()->getSourceRange());
  if (!body || body->file != file_ || !clang::isa<clang::CompoundStmt>(function.getBody())) return std::nullopt;
  return std::pair(body->begin + 1, body->end);
}

}  // namespace morph::source::scouting
