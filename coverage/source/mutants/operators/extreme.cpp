// xt: the body of a function replaced by nothing, or by one return of a constant (Descartes' extreme transformations).
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>

#include "coverage/source/mutants/operators.hpp"
#include "coverage/source/mutants/operators/operands.hpp"

namespace morph::source {
namespace {

/// One statement that reads or sets a member, or hands on to another function.
std::string_view is_plain(const clang::CompoundStmt& body, const clang::FunctionDecl& function) {
  if (body.size() != 1) return {};
  const clang::Stmt* only = body.body_front();
  const auto* returning = llvm::dyn_cast<clang::ReturnStmt>(only);
  const auto* expression = returning != nullptr ? returning->getRetValue() : llvm::dyn_cast<clang::Expr>(only);
  if (expression == nullptr) return {};
  expression = expression->IgnoreImplicit()->IgnoreParenImpCasts();
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(expression);
      made != nullptr && made->getNumArgs() == 1)
    expression = made->getArg(0)->IgnoreImplicit()->IgnoreParenImpCasts();
  if (returning != nullptr && llvm::isa<clang::MemberExpr>(expression)) return "getter";
  if (const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(expression);
      assignment != nullptr && assignment->getOpcode() == clang::BO_Assign &&
      llvm::isa<clang::MemberExpr>(assignment->getLHS()->IgnoreParenImpCasts()) &&
      llvm::isa<clang::DeclRefExpr>(assignment->getRHS()->IgnoreParenImpCasts()))
    return "setter";
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression); call != nullptr &&
                                                                      !llvm::isa<clang::CXXOperatorCallExpr>(call) &&
                                                                      call->getNumArgs() == function.getNumParams()) {
    for (const clang::Expr* argument : call->arguments())
      if (!llvm::isa<clang::DeclRefExpr>(argument->IgnoreImplicit()->IgnoreParenImpCasts())) return {};
    return "delegates";
  }
  return {};
}

bool is_default_constructible(const clang::CXXRecordDecl& record) {
  if (!record.hasDefinition() || record.isAbstract()) return false;
  if (record.needsImplicitDefaultConstructor()) return true;
  for (const clang::CXXConstructorDecl* each : record.ctors())
    if (each->isDefaultConstructor())
      return !each->isDeleted() && each->getAccess() == clang::AS_public && !each->isExplicit();
  // A template's, that has not been needed yet.
  return llvm::isa<clang::ClassTemplateSpecializationDecl>(record) && record.isInStdNamespace();
}

bool is_text(const clang::CXXRecordDecl& record) {
  return record.isInStdNamespace() && (record.getName() == "basic_string" || record.getName() == "basic_string_view");
}

bool can_be_destroyed(const clang::CXXRecordDecl& record) {
  const auto* destructor = record.getDestructor();
  return destructor == nullptr || (!destructor->isDeleted() && destructor->getAccess() == clang::AS_public);
}

/// Whether a variable of the type can be made of nothing, and is declared as the type is spelled.
bool is_made_of_nothing(clang::QualType type) {
  if (type.isVolatileQualified()) return false;
  if (const auto* pointer = type->getAs<clang::PointerType>()) return pointer->getPointeeType()->isObjectType();
  if (type->isArithmeticType() || type->isEnumeralType()) return true;
  const auto* record = type->getAsCXXRecordDecl();
  return record != nullptr && is_default_constructible(*record) && can_be_destroyed(*record);
}

std::vector<std::string> references_of(clang::QualType type, const clang::FunctionDecl& function, site& at) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  if (method != nullptr && method->isInstance() &&
      at.context.hasSameUnqualifiedType(type, method->getThisType()->getPointeeType()) &&
      (type.isConstQualified() || !method->isConst()))
    return {"return *this;"};
  const auto* pattern = function.getTemplateInstantiationPattern();
  if (pattern != nullptr && pattern->getReturnType()->isDependentType()) return {};  // another one in each instance
  if (function.isConstexpr() || !is_made_of_nothing(type)) return {};
  const auto name = at.written_type_name(type);
  if (!name) return {};
  return {"static " + *name + " morph_default{}; return morph_default;"};
}

std::vector<std::string> returns_of(clang::QualType type, const clang::FunctionDecl& function, site& at) {
  if (type->isVoidType()) return {"return;"};
  if (type->isLValueReferenceType()) return references_of(type.getNonReferenceType(), function, at);
  if (type->isReferenceType()) return {};
  if (type->isBooleanType()) return {"return true;", "return false;"};
  if (type->isAnyCharacterType()) return {"return ' ';", "return 'A';"};
  if (type->isEnumeralType()) {
    std::vector<std::string> texts;
    for (const std::string& each : constants_of(type, at)) texts.push_back("return " + each + ";");
    return texts;
  }
  if (type->isIntegerType()) return {"return 0;", "return 1;"};
  if (type->isRealFloatingType()) return {"return 0;", "return 0.1;"};
  if (type->isPointerType()) return {"return nullptr;"};
  if (const auto* record = type->getAsCXXRecordDecl(); record != nullptr && is_default_constructible(*record)) {
    if (is_text(*record)) return {"return {};", "return \"A\";"};
    return {"return {};"};
  }
  return {};
}

}  // namespace

std::string_view transform_body(const clang::FunctionDecl& function, site& at) {
  if (llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(function)) return "constructor or destructor";
  if (function.isMain()) return "main";
  if (function.isNoReturn()) return "does not return";
  if (at.in_single_return()) return "constexpr";
  const auto* body = llvm::dyn_cast_or_null<clang::CompoundStmt>(function.getBody());
  if (body == nullptr) return "try block";
  if (body->body_empty()) return "empty";
  if (const auto plain = is_plain(*body, function); !plain.empty()) return plain;
  const clang::QualType type = function.getReturnType();
  if (type->isDependentType()) return "its type depends on a template's parameters";
  if (type->isUndeducedType() || type->getContainedAutoType() != nullptr ||
      function.getDeclaredReturnType()->getContainedAutoType() != nullptr)
    return "its type is deduced";
  const auto brace = at.range({body->getLBracLoc(), body->getLBracLoc()});
  if (!brace || brace->in_macro || at.original(*brace) != "{") return "hidden by a macro";
  const auto texts = returns_of(type, function, at);
  if (texts.empty()) return type->isReferenceType() ? "returns a reference" : "no constant of its type";
  const auto only = body->size() == 1 ? at.range(body->body_front()->getSourceRange()) : std::nullopt;
  const std::string written = only && !only->in_macro ? std::string(at.original(*only)) + ';' : std::string();
  for (const std::string& text : texts)
    if (text != written) at.propose(*brace, mutation::place_kind::body, {}, "xt", text);
  return {};
}

}  // namespace morph::source
