// Value categories stay as they are: lvalues are passed on, scalars copied, temporaries of classes lie where they lay.
#include "coverage/source/observe/expressions.hpp"

#include <clang/AST/ExprConcepts.h>
#include <clang/Basic/SourceManager.h>

namespace morph::source {
namespace {

bool is_literal(const clang::Expr& of) {
  return llvm::isa<clang::IntegerLiteral, clang::FloatingLiteral, clang::StringLiteral, clang::CharacterLiteral,
                   clang::CXXBoolLiteralExpr, clang::CXXNullPtrLiteralExpr, clang::GNUNullExpr,
                   clang::UserDefinedLiteral, clang::CXXThisExpr, clang::InitListExpr, clang::LambdaExpr,
                   clang::PredefinedExpr, clang::ParenExpr, clang::CXXThrowExpr, clang::ParenListExpr,
                   clang::DesignatedInitExpr, clang::CXXStdInitializerListExpr>(of);
}

/// Passed by, with all that stands in it.
bool is_not_evaluated(const clang::Stmt& of) {
  return llvm::isa<clang::UnaryExprOrTypeTraitExpr, clang::CXXTypeidExpr, clang::CXXNoexceptExpr, clang::TypeTraitExpr,
                   clang::ConstantExpr, clang::UserDefinedLiteral, clang::CXXDefaultArgExpr, clang::CXXDefaultInitExpr,
                   clang::SubstNonTypeTemplateParmExpr, clang::OffsetOfExpr, clang::PredefinedExpr, clang::RequiresExpr,
                   clang::AsmStmt, clang::PseudoObjectExpr>(of);
}

bool is_constant(const clang::VarDecl& of, clang::ASTContext& context) {
  return of.isConstexpr() || (of.mightBeUsableInConstantExpressions(context) && of.hasInit() &&
                              !of.getInit()->isValueDependent() && of.evaluateValue() != nullptr);
}

/// A constant that need not have an address.
bool is_constant(const clang::Expr& of, clang::ASTContext& context) {
  if (of.isValueDependent()) return true;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(&of))
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl())) return is_constant(*variable, context);
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&of))
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(member->getMemberDecl()))
      return is_constant(*variable, context);
  return of.isPRValue() && of.getType()->isScalarType() && of.isEvaluatable(context);
}

bool is_stream(clang::QualType type) {
  const auto* of = type->getAsCXXRecordDecl();
  if (of == nullptr || !of->getIdentifier()) return false;
  const llvm::StringRef name = of->getName();
  return name == "basic_ostream" || name == "basic_istream" || name == "basic_iostream" || name == "Message" ||
         name == "AssertionResult";
}

bool is_change(const clang::CXXOperatorCallExpr& of) {
  return of.isAssignmentOp() || of.getOperator() == clang::OO_PlusPlus || of.getOperator() == clang::OO_MinusMinus ||
         of.getOperator() == clang::OO_Amp;
}

}  // namespace

void test_expressions::block(const clang::CompoundStmt& of) {
  const bool is_written = !of.getLBracLoc().isMacroID() || code_.range(of.getSourceRange()).has_value();
  for (const clang::Stmt* each : of.body()) {
    if (is_written) begin_instruction(*each);
    statement(each);
    if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(each); declared != nullptr && is_written)
      see_variables(*declared);
  }
}

void test_expressions::begin_instruction(const clang::Stmt& of) {
  if (llvm::isa<clang::SwitchCase, clang::NullStmt, clang::LabelStmt, clang::AttributedStmt>(of)) return;
  const clang::SourceManager& sources = context_.getSourceManager();
  const auto where = code_.range(clang::SourceRange(sources.getFileLoc(of.getBeginLoc())));
  if (!where) return;
  observation::point made;
  made.begin = made.end = where->begin;
  made.kind = observation::point_kind::instruction;
  made.before = "(void)(morph_instruction=@);";
  made.line = code_.line(of.getBeginLoc());
  made.column = code_.column(of.getBeginLoc());
  to_[where->file].push_back(std::move(made));
}

void test_expressions::see_variables(const clang::DeclStmt& of) {
  const auto whole = code_.range(of.getSourceRange());
  if (!whole || !of.isSingleDecl() || !whole->text.ends_with(';')) return;
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(of.getSingleDecl());
  if (variable == nullptr || llvm::isa<clang::DecompositionDecl>(variable) || !variable->getIdentifier() ||
      !variable->hasInit() || variable->isStaticLocal() || is_constant(*variable, context_))
    return;
  const clang::QualType type = variable->getType().getNonReferenceType();
  const auto* record = type->getAsCXXRecordDecl();
  if (type->isDependentType() || type.isVolatileQualified() || type->isFunctionType() || type->isAtomicType() ||
      (record != nullptr && record->isLambda()) || is_stream(type))
    return;
  rows_.add(type, 1);
  observation::point made;
  made.begin = made.end = whole->end;
  made.text = variable->getNameAsString();
  made.before = "(void)morph_observe::see(@," + made.text + ");";
  made.type = variable->getType().getAsString(clang::PrintingPolicy(context_.getLangOpts()));
  made.line = code_.line(variable->getLocation());
  made.column = code_.column(variable->getLocation());
  to_[whole->file].push_back(std::move(made));
}

void test_expressions::statement(const clang::Stmt* of) {
  if (of == nullptr || is_not_evaluated(*of)) return;
  if (const auto* inner = llvm::dyn_cast<clang::CompoundStmt>(of)) return block(*inner);
  if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(of)) {
    for (const clang::Decl* each : declared->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(each)) declare(*variable);
    return;
  }
  if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(of)) {
    statement(loop->getInit());
    only_arguments(loop->getRangeInit());
    return statement(loop->getBody());
  }
  if (const auto* leaving = llvm::dyn_cast<clang::ReturnStmt>(of)) {
    if (leaving->getRetValue() != nullptr) expression(leaving->getRetValue(), role::initializes);
    return;
  }
  if (const auto* choice = llvm::dyn_cast<clang::IfStmt>(of); choice != nullptr && choice->isConstexpr()) {
    statement(choice->getThen());
    return statement(choice->getElse());
  }
  if (const auto* value = llvm::dyn_cast<clang::Expr>(of)) return expression(value, role::temporary);
  for (const clang::Stmt* each : of->children()) statement(each);
}

void test_expressions::declare(const clang::VarDecl& of) {
  const clang::Expr* const value = of.getInit();
  if (value == nullptr || of.isStaticLocal() || is_constant(of, context_)) return;
  if (of.getType()->isReferenceType()) return only_arguments(value);
  expression(value, role::initializes);
}

/// What lives on with a reference is passed by; what was made on the way there is seen.
void test_expressions::only_arguments(const clang::Expr* of) {
  if (of == nullptr || is_not_evaluated(*of)) return;
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(of)) return call_operands(*call);
  for (const clang::Stmt* each : of->children())
    if (const auto* part = llvm::dyn_cast_or_null<clang::Expr>(each)) only_arguments(part);
}

void test_expressions::expression(const clang::Expr* of, role as) {
  if (of == nullptr || is_not_evaluated(*of) || of->containsErrors() || of->isTypeDependent()) return;
  if (const auto* made = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(of)) {
    if (made->getExtendingDecl() != nullptr) return only_arguments(made->getSubExpr());
    return expression(made->getSubExpr(), role::temporary);
  }
  if (const auto* whole = llvm::dyn_cast<clang::FullExpr>(of)) return expression(whole->getSubExpr(), as);
  if (const auto* bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(of)) return expression(bound->getSubExpr(), as);
  if (const auto* converted = llvm::dyn_cast<clang::ImplicitCastExpr>(of))
    return expression(converted->getSubExpr(), as == role::changed ? as : role::read);
  if (const auto* inner = llvm::dyn_cast<clang::ParenExpr>(of)) return expression(inner->getSubExpr(), as);
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(of);
      made != nullptr && !llvm::isa<clang::CXXTemporaryObjectExpr>(of)) {
    for (const clang::Expr* each : made->arguments()) expression(each, role::initializes);
    return;
  }
  if (const auto* closure = llvm::dyn_cast<clang::LambdaExpr>(of)) {
    // Frameworks write some, around an assertion.
    if (closure->getBeginLoc().isMacroID() && !code_.range(closure->getSourceRange())) statement(closure->getBody());
    return;
  }
  if (const auto* with_statements = llvm::dyn_cast<clang::StmtExpr>(of))
    return statement(with_statements->getSubStmt());
  if (can_be_seen(*of, as)) see(*of);
  operands(*of);
}

void test_expressions::operands(const clang::Expr& of) {
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&of)) return call_operands(*call);
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&of)) {
    if (!member->isImplicitAccess()) expression(member->getBase(), role::read);
    return;
  }
  if (const auto* both = llvm::dyn_cast<clang::BinaryOperator>(&of)) {
    expression(both->getLHS(), both->isAssignmentOp() ? role::changed : role::read);
    return expression(both->getRHS(), role::read);
  }
  if (const auto* one = llvm::dyn_cast<clang::UnaryOperator>(&of)) {
    const bool is_changed = one->isIncrementDecrementOp() || one->getOpcode() == clang::UO_AddrOf;
    return expression(one->getSubExpr(), is_changed ? role::changed : role::read);
  }
  if (const auto* made = llvm::dyn_cast<clang::CXXNewExpr>(&of)) {
    if (made->getInitializer() != nullptr) expression(made->getInitializer(), role::initializes);
    return;
  }
  for (const clang::Stmt* each : of.children())
    if (const auto* part = llvm::dyn_cast_or_null<clang::Expr>(each)) expression(part, role::initializes);
}

void test_expressions::call_operands(const clang::CallExpr& of) {
  if (const auto* operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&of)) {
    for (unsigned i = 0; i < operation->getNumArgs(); ++i)
      expression(operation->getArg(i), i == 0 && is_change(*operation) ? role::changed : role::initializes);
    return;
  }
  if (const auto* method = llvm::dyn_cast<clang::CXXMemberCallExpr>(&of))
    if (const auto* callee = llvm::dyn_cast<clang::MemberExpr>(method->getCallee()->IgnoreParens());
        callee != nullptr && !callee->isImplicitAccess())
      expression(callee->getBase(), role::read);
  for (const clang::Expr* each : of.arguments()) expression(each, role::initializes);
}

bool test_expressions::can_be_seen(const clang::Expr& of, role as) const {
  const clang::QualType type = of.getType();
  if (as == role::changed || is_literal(of)) return false;
  if (type.isNull() || type->isVoidType() || type->isFunctionType() || type->isPlaceholderType() ||
      type->isDependentType() || type->isUndeducedType() || type.isVolatileQualified() || type->isAtomicType() ||
      type->isVectorType() || type->isAnyComplexType() || type->isMemberPointerType() || type->isIncompleteType())
    return false;
  if (const auto* both = llvm::dyn_cast<clang::BinaryOperator>(&of); both != nullptr && both->isAssignmentOp())
    return false;
  if (const auto* one = llvm::dyn_cast<clang::UnaryOperator>(&of);
      one != nullptr && (one->isPrefix() && one->isIncrementDecrementOp()))
    return false;
  if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(&of);
      address != nullptr && address->getOpcode() == clang::UO_AddrOf)
    return false;
  if (const auto* operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&of))
    if (is_change(*operation) || operation->getOperator() == clang::OO_Arrow) return false;
  if (of.isGLValue() && (of.refersToBitField() || of.refersToVectorElement())) return false;
  if (is_constant(of, context_) || is_stream(type)) return false;
  const auto* record = type->getAsCXXRecordDecl();
  if (record != nullptr && record->isLambda()) return false;
  if (of.isPRValue() && (record != nullptr || type->isArrayType())) return as == role::temporary;
  return true;
}

void test_expressions::see(const clang::Expr& of) {
  const auto where = code_.range(of.getSourceRange());
  if (!where) return;
  rows_.add(of.getType(), 1);
  observation::point made;
  made.begin = where->begin;
  made.end = where->end;
  made.before =
      of.isPRValue() && of.getType()->isScalarType() ? "morph_observe::see_value(@," : "morph_observe::see(@,";
  made.after = ")";
  made.text = std::string(where->text);
  made.type = of.getType().getAsString(clang::PrintingPolicy(context_.getLangOpts()));
  const clang::SourceManager& sources = context_.getSourceManager();
  made.line = code_.line(sources.getFileLoc(of.getBeginLoc()));
  made.column = code_.column(sources.getFileLoc(of.getBeginLoc()));
  to_[where->file].push_back(std::move(made));
}

}  // namespace morph::source
