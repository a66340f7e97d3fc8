// Statements are compared by where they are written: a template's instances are written once.
#include "coverage/source/scout/stops.hpp"

#include <clang/AST/Stmt.h>

#include "coverage/source/clang/walk.hpp"

namespace morph::source::scouting {

stop_places::stop_places(clang::ASTContext& context)
    : file_(context.getSourceManager().getMainFileID()), text_(context.getSourceManager(), context.getLangOpts()) {
  const auto note = [this](const clang::Stmt& each) {
    const auto* const block = clang::dyn_cast<clang::CompoundStmt>(&each);
    if (block == nullptr) return true;
    for (const clang::Stmt* const one : block->body())
      if (const auto where = text_.range_of(one->getSourceRange()); where && where->file == file_)
        statements_.push_back({where->begin, where->end, clang::isa<clang::SwitchCase, clang::LabelStmt>(one)});
    return true;
  };
  const clang::SourceManager& sources = context.getSourceManager();
  for (clang::Decl* const each : context.getTranslationUnitDecl()->decls())
    if (sources.getFileID(sources.getExpansionLoc(each->getLocation())) == file_) walk(each, {.statement = note});
}

std::optional<unsigned> stop_places::in_front_of(clang::SourceRange held) const {
  const auto where = text_.range_of(held);
  if (!where || where->file != file_) return std::nullopt;
  const statement* innermost = nullptr;
  for (const statement& each : statements_)
    if (each.begin <= where->begin && where->begin < each.end &&
        (innermost == nullptr || innermost->end - innermost->begin > each.end - each.begin))
      innermost = &each;
  if (innermost == nullptr || innermost->is_labelled) return std::nullopt;
  return innermost->begin;
}

std::optional<std::pair<unsigned, unsigned>> stop_places::body_of(const clang::FunctionDecl& function) const {
  const auto body = text_.range_of(function.getBody()->getSourceRange());
  if (!body || body->file != file_ || !clang::isa<clang::CompoundStmt>(function.getBody())) return std::nullopt;
  return std::pair(body->begin + 1, body->end);
}

}  // namespace morph::source::scouting
