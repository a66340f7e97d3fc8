// Statements of a test: what runs in any case, once.
#include <clang/AST/Stmt.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>

#include "coverage/source/recipes/tracer.hpp"

namespace morph::source {
namespace {

using kind = known::kind;

constexpr std::size_t most_elements = 8;        // of a table that a loop goes over
constexpr std::size_t most_elements_read = 64;  // of all tables of a test: loops may be within loops

std::string class_name(clang::QualType type) {
  const auto* const record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record != nullptr ? record->getQualifiedNameAsString() : std::string();
}

bool is_section(const clang::VarDecl& of) {
  const std::string name = class_name(of.getType());
  return name == "Catch::Section" || name == "doctest::detail::Subcase";
}

/// GoogleTest's assertions with a statement run it in the branch of such a variable.
bool is_of_assertion(const clang::VarDecl& of) {
  return class_name(of.getType()).starts_with("testing::");
}

}  // namespace

bool is_always_true(const clang::Expr& of) {
  const auto* const call = clang::dyn_cast<clang::CallExpr>(of.IgnoreParenImpCasts());
  const clang::FunctionDecl* const callee = call != nullptr ? call->getDirectCallee() : nullptr;
  return callee != nullptr && callee->getNameAsString() == "AlwaysTrue";
}

const clang::CXXMethodDecl* set_up_of(const clang::CXXRecordDecl& fixture) {
  for (const auto* const each : fixture.methods())
    if (each->getNameAsString() == "SetUp" && each->getNumParams() == 0 && !each->isStatic()) return each;
  for (const auto& base : fixture.bases())
    if (const auto* const record = base.getType()->getAsCXXRecordDecl(); record != nullptr && record->hasDefinition())
      if (const auto* const found = set_up_of(*record->getDefinition())) return found;
  return nullptr;
}

bool tracer::is_own(const clang::Decl& of) const {
  return sources_.isInMainFile(sources_.getExpansionLoc(of.getLocation()));
}

void tracer::run(const clang::FunctionDecl& test) {
  now_ = {};
  inside_.clear();
  elements_ = 0;
  const auto* const method = clang::dyn_cast<clang::CXXMethodDecl>(&test);
  if (method != nullptr && !method->isStatic()) {
    set_up(*method->getParent());
    if (const auto* const before = set_up_of(*method->getParent()); before != nullptr && before != method)
      if (can_be_inlined(*before, true)) inlined(*before, {});
  }
  run(test.getBody());
  take_(now_.calls);
}

/// Members get their values where they are used first, but for what a constructor says.
void tracer::set_up(const clang::CXXRecordDecl& fixture) {
  for (const auto& base : fixture.bases())
    if (const auto* const record = base.getType()->getAsCXXRecordDecl(); record != nullptr && record->hasDefinition())
      set_up(*record->getDefinition());
  for (const auto* const each : fixture.ctors()) {
    const clang::FunctionDecl* definition = nullptr;
    if (!each->isDefaultConstructor() || !each->isUserProvided() || !each->hasBody(definition) ||
        sources_.isInSystemHeader(definition->getLocation()))
      continue;
    for (const auto* const one : clang::cast<clang::CXXConstructorDecl>(definition)->inits())
      if (one->isMemberInitializer() && one->isWritten()) now_.values[one->getMember()] = read(one->getInit());
    run(definition->getBody());
  }
}

tracer::flow tracer::run(const clang::Stmt* of) {
  if (of == nullptr) return flow::on;
  if (const auto* const block = clang::dyn_cast<clang::CompoundStmt>(of)) {
    for (const clang::Stmt* const each : block->body())
      if (const flow next = run(each); next != flow::on) return next;
    return flow::on;
  }
  if (const auto* const declaration = clang::dyn_cast<clang::DeclStmt>(of)) {
    for (const clang::Decl* const each : declaration->decls())
      if (const auto* const variable = clang::dyn_cast<clang::VarDecl>(each)) declare(*variable);
    return flow::on;
  }
  if (const auto* const expression = clang::dyn_cast<clang::Expr>(of)) return read(expression), flow::on;
  if (const auto* const condition = clang::dyn_cast<clang::IfStmt>(of)) return run_if(*condition);
  if (const auto* const back = clang::dyn_cast<clang::ReturnStmt>(of)) {
    returned_ = back->getRetValue() != nullptr ? read_argument(back->getRetValue()) : known();
    return flow::returns;
  }
  if (const auto* const loop = clang::dyn_cast<clang::ForStmt>(of)) {
    run(loop->getInit());
    return run_body_once(loop->getBody());
  }
  if (const auto* const loop = clang::dyn_cast<clang::WhileStmt>(of)) {
    if (loop->getConditionVariable() != nullptr) declare(*loop->getConditionVariable());
    read(loop->getCond());
    return run_body_once(loop->getBody());
  }
  if (const auto* const loop = clang::dyn_cast<clang::DoStmt>(of)) return run_body_once(loop->getBody());
  if (const auto* const loop = clang::dyn_cast<clang::CXXForRangeStmt>(of)) return run_range(*loop);
  if (const auto* const attempt = clang::dyn_cast<clang::CXXTryStmt>(of)) return run(attempt->getTryBlock());
  // `switch (0) case 0: default:` stands before assertions; of others it is not known which case runs.
  if (const auto* const choice = clang::dyn_cast<clang::SwitchStmt>(of)) {
    const bool is_assertion = choice->getSwitchCaseList() != nullptr && choice->getBody() != nullptr &&
                              clang::isa<clang::SwitchCase>(choice->getBody());
    read(choice->getCond());
    return is_assertion ? run(choice->getBody()) : flow::on;
  }
  if (const auto* const one = clang::dyn_cast<clang::SwitchCase>(of)) return run(one->getSubStmt());
  if (const auto* const label = clang::dyn_cast<clang::LabelStmt>(of)) return run(label->getSubStmt());
  if (const auto* const noted = clang::dyn_cast<clang::AttributedStmt>(of)) return run(noted->getSubStmt());
  if (clang::isa<clang::BreakStmt, clang::ContinueStmt>(of)) return flow::leaves_loop;
  // Assertions jump where they fail.
  return clang::isa<clang::GotoStmt>(of) && !of->getBeginLoc().isMacroID() ? flow::returns : flow::on;
}

tracer::flow tracer::run_if(const clang::IfStmt& of) {
  run(of.getInit());
  const clang::VarDecl* const variable = of.getConditionVariable();
  if (variable != nullptr && is_section(*variable)) {
    fork([&] { run(of.getThen()); });
    return flow::on;
  }
  if (variable != nullptr) declare(*variable);
  if ((variable != nullptr && is_of_assertion(*variable)) || is_always_true(*of.getCond())) return run(of.getThen());
  if (variable == nullptr) read(of.getCond());
  // The frameworks' own conditions say whether exceptions are looked for at all.
  if (is_expected_to_throw(of.getIfLoc())) return run(of.getThen());
  const known condition = folded(*of.getCond());
  if (!condition.is(kind::number)) return flow::on;
  return condition.number != 0 ? run(of.getThen()) : run(of.getElse());
}

tracer::flow tracer::run_body_once(const clang::Stmt* body) {
  return run(body) == flow::returns ? flow::returns : flow::on;
}

/// Of a table that is known: each element apart, and the first in the line itself.
tracer::flow tracer::run_range(const clang::CXXForRangeStmt& of) {
  run(of.getInit());
  const known table = read(of.getRangeInit());
  const clang::VarDecl& variable = *of.getLoopVariable();
  for (std::size_t i = 1; i < std::min(table.elements.size(), most_elements) && elements_ < most_elements_read; ++i) {
    ++elements_;
    fork([&] {
      now_.values[&variable] = table.elements[i];
      run(of.getBody());
    });
  }
  now_.values[&variable] = table.elements.empty() ? known() : table.elements[0];
  return run_body_once(of.getBody());
}

void tracer::declare(const clang::VarDecl& of) {
  now_.same.erase(&of);
  const clang::Expr* const first = of.getInit();
  if (of.getType()->isReferenceType() && first != nullptr)
    if (const clang::ValueDecl* const to = variable_of(first); to != nullptr && to != &of) {
      now_.same[&of] = to;
      return;
    }
  now_.values[&of] = first != nullptr ? read_argument(first) : default_of(of.getType(), of.getLocation());
}

void tracer::fork(const std::function<void()>& reading) {
  const state before = now_;
  reading();
  take_(now_.calls);
  now_ = before;
}

}  // namespace morph::source
