// Blocks, conditions and calls of Clang's graph.
#include "coverage/source/branches/flow.hpp"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>
#include <set>

#include "coverage/source/branches/condition.hpp"
#include "coverage/source/clang/walk.hpp"

namespace morph::source {
namespace {

template <typename Statement>
void bare_condition(const clang::Stmt& of) {
  auto* const statement = llvm::dyn_cast<Statement>(const_cast<clang::Stmt*>(&of));
  if (statement == nullptr) return;
  if (auto* temporaries = llvm::dyn_cast_or_null<clang::ExprWithCleanups>(statement->getCond()))
    statement->setCond(temporaries->getSubExpr());
}

/// Clang makes no graph of a function with a loop over a range whose type depends on a template: the loop lacks what
/// its instances have.
void complete_loop(const clang::Stmt& of, clang::ASTContext& context) {
  auto* const loop = llvm::dyn_cast<clang::CXXForRangeStmt>(const_cast<clang::Stmt*>(&of));
  if (loop == nullptr || loop->getCond() != nullptr) return;
  const clang::SourceLocation at = loop->getColonLoc();
  auto* const value = clang::CXXBoolLiteralExpr::Create(context, true, context.BoolTy, at);
  auto* const nothing = new (context) clang::NullStmt(at);
  loop->setBeginStmt(nothing);
  loop->setEndStmt(nothing);
  loop->setCond(value);
  loop->setInc(value);
}

bool is_logical(const clang::Expr& of) {
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(&of);
  return op != nullptr && op->isLogicalOp();
}

/// Or could be one: `const int n = sizeof(T) > 4 ? 1 : 2;` may be the size of an array in a template.
bool is_constant(const clang::VarDecl& variable) {
  if (variable.isConstexpr() || variable.hasAttr<clang::ConstInitAttr>()) return true;
  const clang::QualType type = variable.getType();
  return type.isConstQualified() && (type->isDependentType() || type->isIntegralOrEnumerationType()) &&
         variable.getInit() != nullptr && variable.getInit()->isValueDependent();
}

/// What the compiler alone evaluates within a body, where a graph has blocks for it.
std::set<const clang::Stmt*> compile_time_parts(const clang::Stmt& body) {
  std::set<const clang::Stmt*> found;
  const auto add = [&](const clang::Stmt* part) {
    if (part == nullptr) return;
    walk(part, {.statement = [&](const clang::Stmt& each) {
           found.insert(&each);
           return true;
         }});
  };
  walk(&body, {.statement =
                   [&](const clang::Stmt& each) {
                     if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(&each);
                         branch != nullptr && branch->isConstexpr())
                       add(branch->getCond());
                     if (const auto* constant = llvm::dyn_cast<clang::ConstantExpr>(&each)) add(constant);
                     return true;
                   },
               .declaration =
                   [&](clang::Decl& each) {
                     const auto* variable = llvm::dyn_cast<clang::VarDecl>(&each);
                     if (variable != nullptr && is_constant(*variable)) add(variable->getInit());
                     return true;
                   }});
  return found;
}

called_function called_by(const clang::Expr& call) {
  called_function made{.where = call.getSourceRange()};
  if (const auto* construction = llvm::dyn_cast<clang::CXXConstructExpr>(&call))
    made.callee = construction->getConstructor();
  const auto* plain = llvm::dyn_cast<clang::CallExpr>(&call);
  if (plain == nullptr) return made;
  made.callee = plain->getDirectCallee();
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(made.callee);
  if (method == nullptr) return made;
  const auto* named = llvm::dyn_cast<clang::MemberExpr>(plain->getCallee()->IgnoreParenImpCasts());
  made.is_virtual = method->isVirtual() && (named == nullptr || !named->hasQualifier());
  if (const auto* on_object = llvm::dyn_cast<clang::CXXMemberCallExpr>(plain)) {
    const clang::Expr& object = *on_object->getImplicitObjectArgument()->IgnoreParenImpCasts();
    const clang::QualType type = object.getType();
    made.receiver = type->isPointerType() ? type->getPointeeCXXRecordDecl() : type->getAsCXXRecordDecl();
  }
  return made;
}

/// Of what goes out of scope, is deleted, or is a part of what is destroyed.
called_function called_by(const clang::CFGImplicitDtor& end, clang::ASTContext& context) {
  if (end.getKind() == clang::CFGElement::TemporaryDtor) return {};
  called_function made{.callee = end.getDestructorDecl(context)};
  if (const auto variable = end.getAs<clang::CFGAutomaticObjDtor>())
    made.where = variable->getVarDecl()->getSourceRange();
  if (const auto deletion = end.getAs<clang::CFGDeleteDtor>()) {
    made.where = deletion->getDeleteExpr()->getSourceRange();
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(made.callee);
    made.is_virtual = method != nullptr && method->isVirtual();
  }
  return made;
}

class flow_reader {
 public:
  flow_reader(const clang::FunctionDecl& function, clang::ASTContext& context, const clang::CFG& graph)
      : context_(context), compile_time_(compile_time_parts(*function.getBody())), from_(graph) {}

  void read(function_flow& to) {
    to.graph.blocks.resize(from_.getNumBlockIDs());
    to.blocks.resize(from_.getNumBlockIDs());
    to.graph.entry = from_.getEntry().getBlockID();
    to.graph.exit = from_.getExit().getBlockID();
    for (const clang::CFGBlock* each : from_)
      read(*each, to.graph.blocks[each->getBlockID()], to.blocks[each->getBlockID()]);
  }

 private:
  void read(const clang::CFGBlock& from, flow_block& block, block_facts& facts) {
    block.ends = from.hasNoReturnElement();
    for (const clang::CFGElement& element : from) {
      if (const auto end = element.getAs<clang::CFGImplicitDtor>())
        if (const called_function call = called_by(*end, context_); call.callee != nullptr) facts.calls.push_back(call);
      const auto statement = element.getAs<clang::CFGStmt>();
      if (!statement) continue;
      const clang::Stmt* const of = statement->getStmt();
      if (llvm::isa<clang::CXXThrowExpr>(of)) block.ends = true;
      if (const auto* expression = llvm::dyn_cast<clang::Expr>(of))
        if (const called_function call = called_by(*expression); call.callee != nullptr) facts.calls.push_back(call);
    }
    for (const auto& next : from.succs()) {
      const clang::CFGBlock* const to = next.getReachableBlock();
      block.next.push_back(to == nullptr ? std::nullopt : std::optional<std::size_t>(to->getBlockID()));
    }
    const clang::Stmt* const terminator = from.getTerminatorStmt();
    if (terminator == nullptr) return;
    block.catches = llvm::isa<clang::CXXTryStmt>(terminator);
    decide(from, *terminator, block, facts);
  }

  void decide(const clang::CFGBlock& from, const clang::Stmt& terminator, flow_block& block, block_facts& facts) {
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(&terminator); branch != nullptr && branch->isConsteval()) {
      take_only(block, branch->isNegatedConsteval());
      return;
    }
    if (block.next.size() < 2) return;
    if (llvm::isa<clang::CXXForRangeStmt>(terminator)) {
      facts.terminator = &terminator;
    } else if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(&terminator)) {
      choose(from, *choice, block, facts);
    } else if (const clang::Expr* const condition = deciding_part(from, terminator)) {
      decide(*condition, terminator, block, facts);
    }
  }

  void decide(const clang::Expr& condition, const clang::Stmt& terminator, flow_block& block, block_facts& facts) {
    bool value = false;
    if (!condition.isValueDependent() && !condition.containsErrors() &&
        condition.EvaluateAsBooleanCondition(value, context_)) {
      take_only(block, value);
      return;
    }
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(&terminator);
    if ((branch != nullptr && branch->isConstexpr()) || compile_time_.contains(&terminator)) return;
    facts.terminator = &terminator;
    facts.condition = &condition;
  }

  static void take_only(flow_block& block, bool outcome) {
    if (block.next.size() == 2) block.next[outcome ? 1 : 0].reset();
  }

  /// The leaf of a condition with `&&` and `||` that a block evaluates.
  static const clang::Expr* deciding_part(const clang::CFGBlock& from, const clang::Stmt& terminator) {
    const clang::Expr* part = nullptr;
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(&terminator)) part = branch->getCond();
    if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(&terminator)) part = loop->getCond();
    if (const auto* last = llvm::dyn_cast<clang::DoStmt>(&terminator)) part = last->getCond();
    if (const auto* counted = llvm::dyn_cast<clang::ForStmt>(&terminator)) part = counted->getCond();
    if (const auto* either = llvm::dyn_cast<clang::AbstractConditionalOperator>(&terminator)) part = either->getCond();
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(&terminator); op != nullptr && op->isLogicalOp())
      part = op->getLHS();
    if (part == nullptr) return nullptr;
    // The condition of `do` is a value first: its last block has all of it.
    const clang::Expr* const last = from.getLastCondition();
    while (part->IgnoreParens() != last && is_logical(*part->IgnoreParens()))
      part = llvm::cast<clang::BinaryOperator>(part->IgnoreParens())->getRHS();
    return part;
  }

  void choose(const clang::CFGBlock& from, const clang::SwitchStmt& choice, flow_block& block, block_facts& facts) {
    facts.terminator = &choice;
    facts.condition = choice.getCond();
    const auto cases = cases_of(choice);
    for (const auto& next : from.succs()) {
      const clang::CFGBlock* to = next.getReachableBlock();
      if (to == nullptr) to = next.getPossiblyUnreachableBlock();
      const clang::Stmt* const label = to == nullptr ? nullptr : to->getLabel();
      // Clang takes `default` behind all enumerators for unreachable; values between them reach it.
      if (label != nullptr && llvm::isa<clang::DefaultStmt>(label))
        block.next[facts.outcomes.size()] = to->getBlockID();
      // An edge to a label that is no `case` of this one is `default`, or what comes behind.
      facts.outcomes.push_back(static_cast<std::size_t>(std::ranges::find(cases, label) - cases.begin()));
    }
    clang::Expr::EvalResult value;
    if (!choice.getCond()->isValueDependent() && choice.getCond()->EvaluateAsInt(value, context_))
      facts.terminator = nullptr;
  }

  clang::ASTContext& context_;
  std::set<const clang::Stmt*> compile_time_;
  const clang::CFG& from_;
};

}  // namespace

std::optional<function_flow> flow_of(const clang::FunctionDecl& function, clang::ASTContext& context) {
  walk(function.getBody(), {.statement = [&](const clang::Stmt& each) {
         complete_loop(each, context);
         bare_condition<clang::IfStmt>(each);
         bare_condition<clang::WhileStmt>(each);
         bare_condition<clang::ForStmt>(each);
         bare_condition<clang::DoStmt>(each);
         return true;
       }});
  clang::CFG::BuildOptions options;
  options.AddInitializers = true;
  options.AddImplicitDtors = true;
  options.PruneTriviallyFalseEdges = false;  // `decide` does: here a discarded `if constexpr` would have no edge
  function_flow made;
  made.kept = clang::CFG::buildCFG(&function, function.getBody(), &context, options);
  if (made.kept == nullptr) return std::nullopt;
  flow_reader(function, context, *made.kept).read(made);
  return made;
}

}  // namespace morph::source
