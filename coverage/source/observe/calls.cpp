// A body becomes a lambda, which runs between two looks at what it works on.
#include "coverage/source/observe/calls.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>

#include "coverage/source/clang/names.hpp"
#include "coverage/source/clang/walk.hpp"

namespace morph::source {
namespace {

constexpr int receiver_depth = 2;
constexpr int other_depth = 1;

const clang::CXXMethodDecl* with_receiver(const clang::FunctionDecl& of) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&of);
  return method != nullptr && method->isInstance() && !method->isVolatile() ? method : nullptr;
}

/// `delete this`, or a call of its destructor: what is behind that is no object.
bool ends_receiver(const clang::FunctionDecl& of) {
  const auto is_receiver = [](const clang::Expr* object) {
    return object != nullptr && llvm::isa<clang::CXXThisExpr>(object->IgnoreParenCasts());
  };
  bool ends = false;
  walk(of.getBody(), {.statement = [&](const clang::Stmt& each) {
         if (const auto* deleted = llvm::dyn_cast<clang::CXXDeleteExpr>(&each))
           ends = ends || is_receiver(deleted->getArgument());
         if (const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(&each);
             call != nullptr && llvm::isa_and_nonnull<clang::CXXDestructorDecl>(call->getMethodDecl()))
           ends = ends || is_receiver(call->getImplicitObjectArgument());
         return !ends;
       }});
  return ends;
}

bool is_changed_by_callee(const clang::ParmVarDecl& parameter) {
  const clang::QualType type = parameter.getType();
  return type->isReferenceType() && !type->getPointeeType().isConstQualified();
}

bool is_readable(const clang::ParmVarDecl& parameter) {
  const clang::QualType type = parameter.getType().getNonReferenceType();
  return parameter.getIdentifier() != nullptr && !parameter.isParameterPack() && !type.isVolatileQualified() &&
         !type->isFunctionType() && !type->isIncompleteArrayType();
}

std::string reading(const char* what, const clang::ParmVarDecl& parameter, int depth) {
  const std::string name = parameter.getNameAsString();
  return std::string("morph_observe::named(\"") + what + ' ' + name + "\",0," + name + ',' + std::to_string(depth) +
         ");";
}

/// ` -> T` for the lambda.
std::string trailing_type(const clang::FunctionDecl& of) {
  const clang::QualType declared = of.getDeclaredReturnType();
  clang::PrintingPolicy policy(of.getASTContext().getLangOpts());
  policy.SuppressTagKeyword = true;
  policy.SuppressUnwrittenScope = true;
  if (declared->getContainedDeducedType() != nullptr) {
    const std::string text = declared.getAsString(policy);
    return text == "auto" ? "" : "->" + text;
  }
  if (declared->isDependentType()) return "->" + declared.getAsString(policy);
  if (const auto name = name_at_end(declared.getNonReferenceType(), of.getASTContext());
      name && declared->isReferenceType()) {
    const clang::QualType pointee = declared->getPointeeType();
    return "->" + (pointee.isConstQualified() ? *name + " const" : *name) +
           (declared->isRValueReferenceType() ? "&&" : "&");
  } else if (name) {
    return "->" + (declared.isConstQualified() ? "const " + *name : *name);
  }
  return "->" + declared.getAsString(policy);
}

void add_types(const clang::FunctionDecl& of, type_rows& rows) {
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&of); method != nullptr && method->isInstance())
    rows.add(method->getThisType()->getPointeeType(), receiver_depth);
  rows.add(of.getReturnType(), other_depth);
  for (const clang::ParmVarDecl* each : of.parameters()) rows.add(each->getType(), other_depth);
}

void add_types_of_instances(const clang::FunctionDecl& of, type_rows& rows) {
  if (auto* const of_function = of.getDescribedFunctionTemplate())
    for (const clang::FunctionDecl* each : of_function->specializations()) add_types(*each, rows);
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&of);
  auto* const of_class = method == nullptr ? nullptr : method->getParent()->getDescribedClassTemplate();
  if (of_class == nullptr) return;
  for (const clang::ClassTemplateSpecializationDecl* each : of_class->specializations())
    for (const clang::CXXMethodDecl* same : each->methods())
      if (same->getInstantiatedFromMemberFunction() != nullptr &&
          same->getInstantiatedFromMemberFunction()->getCanonicalDecl() == of.getCanonicalDecl())
        add_types(*same, rows);
}

}  // namespace

std::string why_not_observed(const clang::FunctionDecl& definition) {
  if (definition.isConstexpr()) return "it is constexpr";
  if (definition.isVariadic()) return "it has arguments without names (...)";
  if (definition.isMain()) return "it is main()";
  if (llvm::isa_and_nonnull<clang::CXXTryStmt>(definition.getBody())) return "its body is a function-try-block";
  const auto* const body = llvm::dyn_cast_or_null<clang::CompoundStmt>(definition.getBody());
  if (body == nullptr) return "it is a coroutine, or has no body";
  // That of assert() is seen by nobody whose test passes.
  const clang::SourceManager& sources = definition.getASTContext().getSourceManager();
  bool names_itself = false;
  walk(body, {.statement = [&](const clang::Stmt& each) {
         names_itself =
             names_itself || (llvm::isa<clang::PredefinedExpr>(each) &&
                              !(each.getBeginLoc().isMacroID() && sources.isInSystemMacro(each.getBeginLoc())));
         return !names_itself;
       }});
  return names_itself ? "it uses its own name (__func__)" : "";
}

observation::point call_point(const clang::FunctionDecl& definition, const written_range& body, written_code& code,
                              type_rows& rows) {
  std::string given, state;
  if (with_receiver(definition) != nullptr) {
    if (!llvm::isa<clang::CXXConstructorDecl>(definition) && !llvm::isa<clang::CXXDestructorDecl>(definition))
      given += "morph_observe::named(\"given this\",0,*this,1);";
    state += ends_receiver(definition)
                 ? "morph_observe::not_read(\"this\",0,\"the body ends its life\");"
                 : "morph_observe::named(\"this\",0,*this," + std::to_string(receiver_depth) + ");";
  }
  for (const clang::ParmVarDecl* each : definition.parameters()) {
    if (!is_readable(*each)) continue;
    given += reading("given", *each, other_depth);
    if (is_changed_by_callee(*each)) state += reading("argument", *each, other_depth);
  }
  add_types(definition, rows);
  add_types_of_instances(definition, rows);

  const bool has_result = !llvm::isa<clang::CXXConstructorDecl>(definition) &&
                          !llvm::isa<clang::CXXDestructorDecl>(definition) && !definition.getReturnType()->isVoidType();
  observation::point made;
  made.begin = body.begin;
  made.end = body.end;
  made.kind = observation::point_kind::call;
  made.before = "{const morph_observe::call morph_call(@);";
  if (!given.empty()) made.before += "morph_observe::given(morph_call,[&]{" + given + "});";
  made.before += "auto morph_state=[&]{" + state + "};";
  made.before += has_result ? "return " : "";
  made.before += "morph_observe::run(morph_call,morph_state,[&]()";
  made.before += has_result ? trailing_type(definition) : "->void";
  made.after = ");}";
  made.text = function_name(definition);
  made.type = definition.getReturnType().getAsString(clang::PrintingPolicy(definition.getASTContext().getLangOpts()));
  made.line = code.line(definition.getLocation());
  made.column = code.column(definition.getLocation());
  return made;
}

}  // namespace morph::source
