// Statements of a test along one path of its sections.
#include <clang/AST/Stmt.h>

#include <algorithm>

#include "coverage/source/clang/walk.hpp"
#include "coverage/source/recipes/tracer.hpp"
#include "coverage/source/scout/reader.hpp"

namespace morph::source::scouting {
namespace {

bool enters_section(const clang::IfStmt& of) {
  if (of.getConditionVariable() == nullptr) return false;
  const std::string name = class_name(of.getConditionVariable()->getType());
  return name == "Catch::Section" || name == "doctest::detail::Subcase";
}

void add_paths(const clang::Stmt* of, const section_path& before, std::vector<section_path>& to) {
  std::vector<const clang::IfStmt*> here;
  walk(of, {.statement = [&](const clang::Stmt& each) {
         const auto* const entered = clang::dyn_cast<clang::IfStmt>(&each);
         if (entered != nullptr && enters_section(*entered)) here.push_back(entered);
         return true;
       }});
  if (here.empty()) return to.push_back(before);
  std::set<const clang::IfStmt*> nested;  // which are found again below the others
  for (const clang::IfStmt* const outer : here)
    walk(outer->getThen(), {.statement = [&](const clang::Stmt& each) {
           if (const auto* const inner = clang::dyn_cast<clang::IfStmt>(&each)) nested.insert(inner);
           return true;
         }});
  for (const clang::IfStmt* const each : here) {
    if (nested.contains(each)) continue;
    section_path path = before;
    path.insert(each);
    add_paths(each->getThen(), path, to);
  }
}

/// `*m.find(k)`: a value of its own, although it leads into `m`.
bool gives_call(const clang::Expr* of) {
  of = of->IgnoreParenImpCasts();
  if (const auto* const full = clang::dyn_cast<clang::FullExpr>(of)) return gives_call(full->getSubExpr());
  if (const auto* const unary = clang::dyn_cast<clang::UnaryOperator>(of)) return gives_call(unary->getSubExpr());
  return clang::isa<clang::CallExpr>(of);
}

}  // namespace

std::vector<section_path> section_paths(const clang::Stmt* body) {
  std::vector<section_path> made;
  add_paths(body, {}, made);
  return made;
}

void reader::run(const clang::FunctionDecl& test, const section_path& path) {
  path_ = path;
  inside_.assign(1, {.function = &test});
  const auto* const method = clang::dyn_cast<clang::CXXMethodDecl>(&test);
  if (method != nullptr && !method->isStatic()) {
    set_up(*method->getParent());
    if (const auto* const before = set_up_of(*method->getParent()); before != nullptr && before != method)
      inlined(*before, {});
  }
  run(test.getBody());
}

/// Members begin with what the fixture's constructors say.
void reader::set_up(const clang::CXXRecordDecl& fixture) {
  for (const auto& base : fixture.bases())
    if (const auto* const record = base.getType()->getAsCXXRecordDecl(); record != nullptr && record->hasDefinition())
      set_up(*record->getDefinition());
  if (owns_.of(fixture) != ownership::owner::tests) return;
  for (const auto* const each : fixture.ctors()) {
    const clang::FunctionDecl* definition = nullptr;
    if (!each->isDefaultConstructor() || !each->isUserProvided() || !each->hasBody(definition)) continue;
    for (const auto* const one : clang::cast<clang::CXXConstructorDecl>(definition)->inits())
      if (one->isMemberInitializer() && one->isWritten())
        put({one->getMember(), ""}, named(read(one->getInit()), *one->getMember()));
    run(definition->getBody());
  }
}

void reader::run(const clang::Stmt* of) {
  if (of == nullptr || now_.ended) return;
  if (const auto* const block = clang::dyn_cast<clang::CompoundStmt>(of)) {
    for (const clang::Stmt* const each : block->body()) run(each);
  } else if (const auto* const declaration = clang::dyn_cast<clang::DeclStmt>(of)) {
    for (const clang::Decl* const each : declaration->decls()) {
      if (const auto* const variable = clang::dyn_cast<clang::VarDecl>(each)) declare(*variable);
      if (const auto* const assertion = clang::dyn_cast<clang::StaticAssertDecl>(each))
        read_condition(assertion->getAssertExpr(), assertion->getLocation());
    }
  } else if (const auto* const expression = clang::dyn_cast<clang::Expr>(of)) {
    read(expression);
  } else if (const auto* const condition = clang::dyn_cast<clang::IfStmt>(of)) {
    run_if(*condition);
  } else if (const auto* const back = clang::dyn_cast<clang::ReturnStmt>(of)) {
    if (back->getRetValue() != nullptr && asking_) read_condition(back->getRetValue(), *asking_);
    if (back->getRetValue() != nullptr && !asking_) {
      const term_number value = read(back->getRetValue());
      returned_ = returns_ ? terms_.made_of({returned_, value}, terms_[value].text) : value;
      returns_ = true;
    }
    now_.ended = true;
  } else if (const auto* const loop = clang::dyn_cast<clang::ForStmt>(of)) {
    run(loop->getInit());
    // Where a counter begins is no value that the loops of a test share.
    if (const auto* const counters = clang::dyn_cast_or_null<clang::DeclStmt>(loop->getInit()))
      for (const clang::Decl* const each : counters->decls())
        if (const auto* const counter = clang::dyn_cast<clang::VarDecl>(each);
            counter != nullptr && counter->getType()->isIntegralOrEnumerationType())
          put({counter, ""}, terms_.variable(counter->getNameAsString()));
    run_loop(loop->getCond(), loop->getInc(), loop->getBody());
  } else if (const auto* const again = clang::dyn_cast<clang::WhileStmt>(of)) {
    if (again->getConditionVariable() != nullptr) declare(*again->getConditionVariable());
    run_loop(again->getCond(), nullptr, again->getBody());
  } else if (const auto* const until = clang::dyn_cast<clang::DoStmt>(of)) {
    // `do { ... } while (false)` is how macros make a statement.
    const auto goes_on = folded(*until->getCond());
    if (goes_on && *goes_on == 0)
      run(until->getBody());
    else
      run_loop(nullptr, until->getCond(), until->getBody());
  } else if (const auto* const range = clang::dyn_cast<clang::CXXForRangeStmt>(of)) {
    run_range(*range);
  } else if (const auto* const attempt = clang::dyn_cast<clang::CXXTryStmt>(of)) {
    run_try(*attempt);
  } else if (const auto* const choice = clang::dyn_cast<clang::SwitchStmt>(of)) {
    read(choice->getCond());
    run(choice->getBody());
  } else if (const auto* const one = clang::dyn_cast<clang::SwitchCase>(of)) {
    run(one->getSubStmt());
  } else if (const auto* const label = clang::dyn_cast<clang::LabelStmt>(of)) {
    run(label->getSubStmt());
  } else if (const auto* const noted = clang::dyn_cast<clang::AttributedStmt>(of)) {
    run(noted->getSubStmt());
  } else if (clang::isa<clang::BreakStmt, clang::ContinueStmt>(of)) {
    // Of a switch or a loop: what stands behind it in another case runs, too.
  } else if (clang::isa<clang::GotoStmt>(of) && !of->getBeginLoc().isMacroID()) {
    now_.ended = true;  // assertions jump where they fail
  }
}

void reader::run_if(const clang::IfStmt& of) {
  run(of.getInit());
  const clang::VarDecl* const variable = of.getConditionVariable();
  if (variable != nullptr && enters_section(of)) {
    if (path_.contains(&of)) run(of.getThen());
    return;
  }
  // GoogleTest's assertions end where they fail, and run a statement where they expect it to.
  if (variable != nullptr && class_name(variable->getType()) == "testing::AssertionResult")
    return read_result(*variable);
  if (variable != nullptr) declare(*variable);
  if (variable != nullptr && class_name(variable->getType()).starts_with("testing::")) return run(of.getThen());
  if (is_always_true(*of.getCond())) return run(of.getThen());
  const term_number condition = variable == nullptr ? read(of.getCond()) : term_number();
  const auto known = variable == nullptr ? number_of(condition) : folded(*of.getCond());
  if (known) return run(*known != 0 ? of.getThen() : of.getElse());
  run_both(of.getThen(), of.getElse());
}

void reader::run_both(const clang::Stmt* one, const clang::Stmt* other) {
  const state before = now_;
  run(one);
  state after = std::exchange(now_, before);
  run(other);
  merge(std::move(after));
}

/// A variable that two branches have given values may hold either.
void reader::merge(state&& other) {
  if (other.ended) return;
  if (now_.ended) {
    now_ = std::move(other);
    return;
  }
  for (const auto& [where, value] : other.values) {
    const auto [at, is_new] = now_.values.try_emplace(where, value);
    if (!is_new && at->second != value) at->second = terms_.made_of({at->second, value}, terms_[value].text);
  }
  for (const auto& [of, to] : other.same) now_.same.try_emplace(of, to);
}

/// Twice: the second time, variables hold what the first has left.
void reader::run_loop(const clang::Stmt* condition, const clang::Stmt* step, const clang::Stmt* body) {
  const state before = now_;
  for (int round = 0; round < 2 && !now_.ended; ++round) {
    if (condition != nullptr) run(condition);
    run(body);
    if (step != nullptr) run(step);
  }
  if (now_.ended) now_ = before;
}

void reader::run_range(const clang::CXXForRangeStmt& of) {
  run(of.getInit());
  const term_number table = read(of.getRangeInit());
  const clang::VarDecl& variable = *of.getLoopVariable();
  const state before = now_;
  for (int round = 0; round < 2 && !now_.ended; ++round) {
    const term_number element = terms_.made_of({table}, variable.getNameAsString());
    if (const auto* const parts = clang::dyn_cast<clang::DecompositionDecl>(&variable)) {
      for (const clang::BindingDecl* const each : parts->bindings())
        put({each, ""}, named(terms_.made_of({element}, each->getNameAsString()), *each));
    } else {
      put({&variable, ""}, named(element, variable));
    }
    run(of.getBody());
  }
  if (now_.ended) now_ = before;
}

/// A handler sees what the calls of its block have thrown.
void reader::run_try(const clang::CXXTryStmt& of) {
  const auto before_calls = static_cast<call_number>(terms_.call_count());
  run(of.getTryBlock());
  const state after = now_;
  std::vector<term_number> thrown;
  for (auto each = before_calls; each < terms_.call_count(); ++each) thrown.push_back(terms_.output(each));
  for (unsigned i = 0; i < of.getNumHandlers(); ++i) {
    const clang::CXXCatchStmt& handler = *of.getHandler(i);
    now_ = after;
    now_.ended = false;
    if (const clang::VarDecl* const caught = handler.getExceptionDecl(); caught != nullptr && !thrown.empty())
      put({caught, ""}, terms_.made_of({thrown.back()}, caught->getNameAsString()));
    run(handler.getHandlerBlock());
  }
  now_ = after;
}

/// What a declaration copies is named where the copy is written.
void reader::declare(const clang::VarDecl& of) {
  if (const auto* const parts = clang::dyn_cast<clang::DecompositionDecl>(&of)) return declare_parts(*parts);
  const clang::Expr* const first = of.getInit();
  now_.same.erase(&of);
  if (first == nullptr) return put({&of, ""}, named(terms_.constant(of.getNameAsString()), of));
  if (of.getType()->isReferenceType() || of.getType()->isPointerType())
    if (const auto to = gives_call(first) ? std::nullopt : place_of(first); to && to->variable != &of) {
      now_.same[&of] = *to;
      return;
    }
  if (const auto* const list = clang::dyn_cast<clang::InitListExpr>(first->IgnoreImplicit());
      list != nullptr && list->getType()->isRecordType()) {
    const auto* const record = list->getType()->getAsCXXRecordDecl();
    put({&of, ""}, named(read(first), of));
    if (record == nullptr) return;
    unsigned number = 0;
    for (const clang::FieldDecl* const field : record->fields())
      if (number < list->getNumInits())
        put({&of, '.' + field->getNameAsString()}, named(read(list->getInit(number++)), *field));
    return;
  }
  const auto* const construction = clang::dyn_cast<clang::CXXConstructExpr>(bare(first));
  put({&of, ""}, named(construction != nullptr ? read_construction(*construction, true) : read(first), of));
}

/// `auto [a, b] = ...`
void reader::declare_parts(const clang::DecompositionDecl& of) {
  const term_number whole = of.getInit() != nullptr ? read(of.getInit()) : terms_.constant("");
  for (const clang::BindingDecl* const each : of.bindings())
    put({each, ""}, named(terms_.made_of({whole}, each->getNameAsString()), *each));
}

}  // namespace morph::source::scouting
