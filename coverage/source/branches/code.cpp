// Conditions by the statements that they are parts of, as code generators of GCC and Clang take them apart.
#include "coverage/source/branches/code.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecordLayout.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>

#include "coverage/source/branches/condition.hpp"

namespace morph::source {
namespace {

const clang::BinaryOperator* logical(const clang::Expr& of) {
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(of.IgnoreParens());
  return op != nullptr && op->isLogicalOp() ? op : nullptr;
}

bool is_either(const clang::Expr& of) {
  return llvm::isa<clang::AbstractConditionalOperator>(of.IgnoreParenImpCasts());
}

enum class arm_kind { unknown, simple, other };

/// What GCC takes for simpler than other operands: constants and variables. It computes no branch for two of them.
arm_kind kind_of_arm(const clang::Expr& arm, const clang::ASTContext& context) {
  if (arm.isInstantiationDependent() || arm.getType()->isArrayType()) return arm_kind::unknown;
  if (arm.isPRValue() && !arm.getType()->isScalarType() && !arm.getType()->isVoidType()) return arm_kind::other;
  const clang::Expr* plain = arm.IgnoreParenCasts();
  if (const auto* minus = llvm::dyn_cast<clang::UnaryOperator>(plain);
      minus != nullptr && minus->getOpcode() == clang::UO_Minus)
    plain = minus->getSubExpr()->IgnoreParenCasts();
  if (const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(plain)) {
    if (named->refersToEnclosingVariableOrCapture()) return arm_kind::unknown;
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(named->getDecl());
    return variable != nullptr && variable->getType()->isReferenceType() ? arm_kind::unknown : arm_kind::simple;
  }
  const bool is_constant = plain->isEvaluatable(context);
  if (llvm::isa<clang::CallExpr, clang::CXXNewExpr, clang::CXXThrowExpr, clang::ArraySubscriptExpr>(plain))
    return is_constant ? arm_kind::unknown : arm_kind::other;
  if (llvm::isa<clang::StringLiteral>(plain)) return arm_kind::unknown;
  if (is_constant || llvm::isa<clang::CXXThisExpr>(plain)) return arm_kind::simple;
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(plain))
    return op->isLogicalOp() || op->isComparisonOp() || op->isPtrMemOp() ? arm_kind::unknown : arm_kind::other;
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(plain))
    return op->getOpcode() == clang::UO_Deref ? arm_kind::other : arm_kind::unknown;
  if (const auto* either = llvm::dyn_cast<clang::ConditionalOperator>(plain)) {
    const arm_kind yes = kind_of_arm(*either->getTrueExpr(), context);
    const arm_kind no = kind_of_arm(*either->getFalseExpr(), context);
    if (yes == arm_kind::unknown || no == arm_kind::unknown) return arm_kind::unknown;
    return yes == arm_kind::other || no == arm_kind::other ? arm_kind::other : arm_kind::unknown;
  }
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(plain);
  if (member != nullptr && llvm::isa<clang::FieldDecl>(member->getMemberDecl())) return arm_kind::other;
  return arm_kind::unknown;
}

/// Measured with GCC 12: fold_ternary() swaps arms by tree_swap_operands_p(), where it can invert the condition.
turned around(const clang::ConditionalOperator& of, const clang::ASTContext& context) {
  const arm_kind yes = kind_of_arm(*of.getTrueExpr(), context), no = kind_of_arm(*of.getFalseExpr(), context);
  if (yes == arm_kind::other && no != arm_kind::unknown) return turned::no;
  if (yes != arm_kind::simple || no != arm_kind::other) return turned::unknown;
  const clang::Expr* condition = of.getCond()->IgnoreParens();
  for (const auto* cast = llvm::dyn_cast<clang::CastExpr>(condition);
       cast != nullptr && cast->getType()->isBooleanType(); cast = llvm::dyn_cast<clang::CastExpr>(condition)) {
    const auto kind = cast->getCastKind();
    // A comparison with zero.
    if (kind == clang::CK_PointerToBoolean || kind == clang::CK_IntegralToBoolean) return turned::yes;
    if (kind == clang::CK_UserDefinedConversion) return turned::no;
    condition = cast->getSubExpr()->IgnoreParens();
  }
  if (llvm::isa<clang::CallExpr>(condition) && condition->getType()->isBooleanType()) return turned::no;
  const auto* compared = llvm::dyn_cast<clang::BinaryOperator>(condition);
  if (compared == nullptr || !compared->isComparisonOp() || compared->getOpcode() == clang::BO_Cmp)
    return turned::unknown;
  const clang::QualType type = compared->getLHS()->getType();
  return type->isIntegralOrEnumerationType() || type->isPointerType() ? turned::yes : turned::unknown;
}

/// What GCC takes for an expression with side effects, which it evaluates in full before it decides.
value_first effects_of(const clang::Expr& of) {
  value_first made = value_first::no;
  std::vector<const clang::Stmt*> open{&of};
  while (!open.empty()) {
    const clang::Stmt* const each = open.back();
    open.pop_back();
    const auto* call = llvm::dyn_cast<clang::CallExpr>(each);
    const auto* callee = call == nullptr ? nullptr : call->getDirectCallee();
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(each);
    const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(each);
    const bool may_be_pure =
        callee != nullptr && (callee->getBuiltinID() != 0 || callee->isConstexpr() ||
                              callee->hasAttr<clang::PureAttr>() || callee->hasAttr<clang::ConstAttr>());
    if (may_be_pure)
      made = value_first::perhaps;
    else if (call != nullptr || (op != nullptr && op->isAssignmentOp()) ||
             (unary != nullptr && unary->isIncrementDecrementOp()) ||
             llvm::isa<clang::CXXConstructExpr, clang::CXXUnresolvedConstructExpr, clang::CXXNewExpr,
                       clang::CXXThrowExpr>(each))
      return value_first::by_calls;
    for (const clang::Stmt* child : each->children())
      if (child != nullptr) open.push_back(child);
  }
  return made == value_first::no && of.isInstantiationDependent() ? value_first::perhaps : made;
}

class code_reader {
 public:
  code_reader(const clang::ASTContext& context, function_code& to) : context_(context), to_(to) {}

  void read(const clang::FunctionDecl& function) {
    if (const auto* made = llvm::dyn_cast<clang::CXXConstructorDecl>(&function))
      for (const clang::CXXCtorInitializer* each : made->inits())
        if (each->isWritten()) visit(each->getInit(), false);
    visit(function.getBody(), false);
  }

 private:
  /// `is_taken_apart`: a code generator may look into it from the outside.
  void visit(const clang::Stmt* of, bool is_taken_apart) {
    if (of == nullptr) return;
    note_hidden(*of);
    if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(of)) {
      for (const clang::Expr* each : lambda->capture_inits()) visit(each, false);
    } else if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(of)) {
      visit(branch->getInit(), false);
      visit(branch->getConditionVariableDeclStmt(), false);
      if (!branch->isConsteval() && !branch->isConstexpr()) condition(branch->getCond(), code_kind::condition);
      visit(branch->getThen(), false);
      visit(branch->getElse(), false);
    } else if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(of)) {
      visit(loop->getConditionVariableDeclStmt(), false);
      condition(loop->getCond(), code_kind::loop, is_destroyed(loop->getConditionVariable()));
      visit(loop->getBody(), false);
    } else if (const auto* last = llvm::dyn_cast<clang::DoStmt>(of)) {
      visit(last->getBody(), false);
      condition(last->getCond(), code_kind::last);
    } else if (const auto* counted = llvm::dyn_cast<clang::ForStmt>(of)) {
      visit(counted->getInit(), false);
      visit(counted->getConditionVariableDeclStmt(), false);
      condition(counted->getCond(), code_kind::loop,
                is_destroyed(counted->getConditionVariable()) || destroys(counted->getInit()));
      if (counted->getInc() != nullptr && decides(*counted->getInc())) hide(counted->getInc());
      visit(counted->getBody(), false);
    } else if (const auto* range = llvm::dyn_cast<clang::CXXForRangeStmt>(of)) {
      to_.sites[range] = {.kind = code_kind::range, .statement = next_++};
      to_.sites[range].cleans_up = destroys(range->getInit()) || destroys(range->getRangeStmt()) ||
                                   destroys(range->getBeginStmt()) || destroys(range->getEndStmt());
      visit(range->getInit(), false);
      visit(range->getRangeInit(), false);
      visit(range->getBody(), false);
    } else if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(of)) {
      switched(*choice);
    } else if (const auto* either = llvm::dyn_cast<clang::ConditionalOperator>(of)) {
      decided(*either, is_taken_apart);
    } else if (const auto* expression = llvm::dyn_cast<clang::Expr>(of);
               expression != nullptr && logical(*expression) != nullptr && !llvm::isa<clang::ParenExpr>(expression)) {
      value(*expression, is_taken_apart);
    } else {
      const bool hands_on =
          is_taken_apart && llvm::isa<clang::ParenExpr, clang::ImplicitCastExpr, clang::ExprWithCleanups>(of);
      const auto* op = llvm::dyn_cast<clang::BinaryOperator>(of);
      const bool computes = (op != nullptr && !op->isAssignmentOp() && !op->isCommaOp()) ||
                            llvm::isa<clang::UnaryOperator, clang::BinaryConditionalOperator>(of);
      for (const clang::Stmt* each : of->children()) visit(each, hands_on || computes);
    }
  }

  void condition(const clang::Expr* of, code_kind kind, bool cleans_up = false) {
    if (of == nullptr) return;
    const auto* temporaries = llvm::dyn_cast<clang::ExprWithCleanups>(of);
    if (temporaries != nullptr) of = temporaries->getSubExpr();
    site_code made{.kind = kind, .statement = next_++};
    made.cleans_up = cleans_up;
    if (logical(*of) != nullptr) made.value = temporaries != nullptr ? value_first::by_temporaries : effects_of(*of);
    parts(*of, made);
  }

  bool is_destroyed(const clang::VarDecl* variable) const {
    if (variable == nullptr) return false;
    if (variable->getType()->isDependentType()) return true;
    const clang::Expr* const init = variable->getInit();
    return variable->needsDestruction(context_) != clang::QualType::DK_none ||
           (variable->getType()->isReferenceType() &&
            (init == nullptr || llvm::isa<clang::ExprWithCleanups, clang::MaterializeTemporaryExpr>(init)));
  }

  bool destroys(const clang::Stmt* of) const {
    const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(of);
    return declared != nullptr && std::ranges::any_of(declared->decls(), [&](const clang::Decl* each) {
             return is_destroyed(llvm::dyn_cast<clang::VarDecl>(each));
           });
  }

  /// `last`: what holds of the last part.
  void parts(const clang::Expr& of, const site_code& last) {
    if (const auto* op = logical(of)) {
      site_code first = last;
      first.goes_on = op->getOpcode() == clang::BO_LAnd;
      parts(*op->getLHS(), first);
      return parts(*op->getRHS(), last);
    }
    if (!is_either(of)) to_.sites[of.IgnoreParens()] = last;
    visit(&of, true);
  }

  void decided(const clang::ConditionalOperator& of, bool is_taken_apart) {
    site_code made{.kind = code_kind::either, .statement = next_++};
    made.around = around(of, context_);
    if (is_taken_apart) made.kind = code_kind::unknown;
    parts(*of.getCond(), made);
    visit(of.getTrueExpr(), is_taken_apart);
    visit(of.getFalseExpr(), is_taken_apart);
  }

  void value(const clang::Expr& of, bool is_taken_apart) {
    const clang::Expr* last = &of;
    while (const auto* op = logical(*last)) last = op->getRHS();
    parts(of, {.kind = is_taken_apart ? code_kind::unknown : code_kind::value, .statement = next_++});
    to_.operands.push_back(last->IgnoreParens());
  }

  void switched(const clang::SwitchStmt& of) {
    visit(of.getInit(), false);
    visit(of.getConditionVariableDeclStmt(), false);
    visit(of.getCond(), false);
    site_code made{.kind = code_kind::choice, .statement = next_++};
    const auto cases = cases_of(of);
    std::vector<const clang::SwitchCase*> all;
    for (const clang::SwitchCase* each = of.getSwitchCaseList(); each != nullptr; each = each->getNextSwitchCase())
      all.push_back(each);
    std::ranges::reverse(all);
    const clang::SwitchCase* before = nullptr;
    for (const clang::SwitchCase* each : all) {
      if (before == nullptr || before->getSubStmt() != each) made.labels.emplace_back();
      const auto at = std::ranges::find(cases, llvm::dyn_cast<clang::CaseStmt>(each));
      made.labels.back().push_back(static_cast<std::size_t>(at - cases.begin()));
      before = each;
    }
    to_.sites[&of] = made;
    visit(of.getBody(), false);
  }

  void hide(const clang::Stmt* of) {
    if (of != nullptr) to_.hidden.push_back(of->getSourceRange());
  }

  void note_hidden(const clang::Stmt& of) {
    if (const auto* made = llvm::dyn_cast<clang::CXXNewExpr>(&of))
      if (made->isArray() || made->getNumPlacementArgs() > 0) hide(&of);
    if (const auto* by_default = llvm::dyn_cast<clang::CXXDefaultArgExpr>(&of))
      if (decides(*by_default->getExpr())) hide(&of);
    if (llvm::isa<clang::CXXDeleteExpr, clang::CXXDynamicCastExpr, clang::CXXTypeidExpr, clang::StmtExpr,
                  clang::BinaryConditionalOperator>(of))
      hide(&of);
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(&of); op != nullptr && op->isPtrMemOp()) hide(&of);
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(&of); cast != nullptr && moves_pointer(*cast)) hide(&of);
    if (const auto* temporaries = llvm::dyn_cast<clang::ExprWithCleanups>(&of);
        temporaries != nullptr && makes_some_only(*temporaries))
      hide(&of);
    if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(&of))
      for (const clang::Decl* each : declared->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(each); variable != nullptr && has_guard(*variable))
          hide(&of);
  }

  /// To a base or back, and not if it is null.
  bool moves_pointer(const clang::CastExpr& of) const {
    const auto kind = of.getCastKind();
    if (!of.getType()->isPointerType() || (kind != clang::CK_DerivedToBase && kind != clang::CK_BaseToDerived))
      return false;
    if (llvm::isa<clang::CXXThisExpr>(of.getSubExpr()->IgnoreParenImpCasts())) return false;
    const clang::QualType derived = kind == clang::CK_DerivedToBase ? of.getSubExpr()->getType() : of.getType();
    const auto* at = derived->getPointeeCXXRecordDecl();
    for (const clang::CXXBaseSpecifier* each : of.path()) {
      const auto* base = each->getType()->getAsCXXRecordDecl();
      if (at == nullptr || base == nullptr || at->isDependentContext() || each->isVirtual()) return true;
      if (!context_.getASTRecordLayout(at->getDefinition()).getBaseClassOffset(base->getDefinition()).isZero())
        return true;
      at = base;
    }
    return false;
  }

  /// Or is an array, whose elements are made in a loop.
  static bool has_guard(const clang::VarDecl& of) {
    const clang::Type* element = of.getType()->getBaseElementTypeUnsafe();
    return (of.isStaticLocal() && (of.getInit() == nullptr ? !element->isScalarType() : !has_constant(of))) ||
           (of.getType()->isArrayType() && !element->isScalarType());
  }

  static bool has_constant(const clang::VarDecl& of) {
    return !of.getInit()->isValueDependent() && of.hasConstantInitialization() &&
           of.getType()->isLiteralType(of.getASTContext());
  }

  static bool decides(const clang::Expr& of) {
    std::vector<const clang::Stmt*> open{&of};
    while (!open.empty()) {
      const clang::Stmt* const each = open.back();
      open.pop_back();
      if (is_decision(*each)) return true;
      for (const clang::Stmt* child : each->children())
        if (child != nullptr) open.push_back(child);
    }
    return false;
  }

  static bool is_decision(const clang::Stmt& of) {
    const auto* expression = llvm::dyn_cast<clang::Expr>(&of);
    return expression != nullptr &&
           (llvm::isa<clang::AbstractConditionalOperator>(expression) || logical(*expression) != nullptr);
  }

  /// Temporaries of a part that may not be evaluated are destroyed if a flag says so.
  static bool makes_some_only(const clang::ExprWithCleanups& of) {
    std::vector<std::pair<const clang::Stmt*, bool>> open{{&of, false}};
    while (!open.empty()) {
      const auto [each, is_optional] = open.back();
      open.pop_back();
      if (is_optional && llvm::isa<clang::CXXBindTemporaryExpr>(each)) return true;
      for (const clang::Stmt* child : each->children())
        if (child != nullptr) open.emplace_back(child, is_optional || is_decision(*each));
    }
    return false;
  }

  const clang::ASTContext& context_;
  function_code& to_;
  std::size_t next_ = 0;
};

}  // namespace

function_code code_of(const clang::FunctionDecl& function, const clang::ASTContext& context) {
  function_code made;
  code_reader(context, made).read(function);
  return made;
}

}  // namespace morph::source
