// A body becomes a lambda, which runs between two looks at what it works on.
#include "coverage/source/observe/calls.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>

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

bool names(const clang::Expr* in, const clang::ParmVarDecl& parameter) {
  in = in->IgnoreParenCasts();
  if (const auto* moved = llvm::dyn_cast<clang::UnaryOperator>(in); moved != nullptr && moved->isIncrementDecrementOp())
    in = moved->getSubExpr()->IgnoreParenCasts();
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(in);
  return name != nullptr && name->getDecl() == &parameter;
}

/// What a body does with a pointer that it is given.
struct pointer_use {
  bool is_followed = false;   // `*p`, `p->`, `p[i]`
  bool is_an_array = false;   // more than one object lies there
  bool is_handed_on = false;  // to a function that may write there, too
  bool ends_pointee = false;  // `delete p`, or a call of its destructor
};

pointer_use use_of(const clang::ParmVarDecl& parameter, const clang::Stmt* body) {
  pointer_use made;
  const auto is_handed_on = [&](const clang::Expr* argument) {
    return argument->getType()->isPointerType() && !argument->getType()->getPointeeType().isConstQualified() &&
           names(argument, parameter);
  };
  walk(body, {.statement = [&](const clang::Stmt& each) {
         if (const auto* one = llvm::dyn_cast<clang::UnaryOperator>(&each)) {
           made.is_followed |= one->getOpcode() == clang::UO_Deref && names(one->getSubExpr(), parameter);
           made.is_an_array |= one->isIncrementDecrementOp() && names(one->getSubExpr(), parameter);
         } else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&each)) {
           const bool is_of_it = member->isArrow() && names(member->getBase(), parameter);
           made.is_followed |= is_of_it;
           made.ends_pointee |= is_of_it && llvm::isa<clang::CXXDestructorDecl>(member->getMemberDecl());
         } else if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(&each)) {
           if (names(element->getBase(), parameter)) made.is_followed = made.is_an_array = true;
         } else if (const auto* deleted = llvm::dyn_cast<clang::CXXDeleteExpr>(&each)) {
           made.ends_pointee |= names(deleted->getArgument(), parameter);
         } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&each)) {
           made.is_handed_on |= std::ranges::any_of(call->arguments(), is_handed_on);
         } else if (const auto* construction = llvm::dyn_cast<clang::CXXConstructExpr>(&each)) {
           made.is_handed_on |= std::ranges::any_of(construction->arguments(), is_handed_on);
         }
         return true;
       }});
  return made;
}

/// Of a parameter `T*`: whether an object that the body may have written lies there behind the call.
bool is_written_there(const clang::ParmVarDecl& parameter, const pointer_use& use, const clang::FunctionDecl& of) {
  const clang::QualType type = parameter.getType();
  if (parameter.getIdentifier() == nullptr || !type->isPointerType() || use.ends_pointee) return false;
  const clang::QualType pointee = type->getPointeeType().getCanonicalType();
  if (pointee.isConstQualified() || pointee.isVolatileQualified() || pointee->isVoidType() || pointee->isFunctionType())
    return false;
  const auto* of_class = pointee->getAsCXXRecordDecl();
  const bool is_of_library =
      of_class != nullptr && of.getASTContext().getSourceManager().isInSystemHeader(of_class->getLocation());
  if (is_of_library && !of_class->isInStdNamespace()) return false;  // FILE: nobody reads its fields
  if (pointee->isIncompleteType()) return false;
  if (!use.is_handed_on) return use.is_followed;
  if (pointee->isDependentType()) return false;
  // Beside another one of its type it may be the end of a range.
  const auto is_like_it = [&](const clang::ParmVarDecl* each) {
    return each != &parameter && each->getType().getCanonicalType() == type.getCanonicalType();
  };
  if (!use.is_followed && std::ranges::any_of(of.parameters(), is_like_it)) return false;
  // Whoever gets it may end its life; objects of the library belong to the caller.
  return of_class == nullptr || is_of_library || pointee.isTriviallyCopyableType(of.getASTContext());
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
  for (const clang::ParmVarDecl* each : of.parameters()) {
    const clang::QualType type = each->getType();
    const bool may_be_written = type->isPointerType() && !type->getPointeeType().isConstQualified();
    rows.add(may_be_written ? type->getPointeeType() : type, other_depth);
  }
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
  std::string given, state, kept;
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
    if (const auto use = use_of(*each, definition.getBody()); is_written_there(*each, use, definition)) {
      const std::string name = each->getNameAsString(), at = "morph_at_" + name;
      const std::string was = "morph_was_" + name;
      kept += "auto* const " + at + '=' + name + ';';
      if (use.is_an_array) kept += "const auto " + was + "=morph_observe::earlier_of(morph_call," + at + ");";
      state += use.is_an_array ? "morph_observe::elements(\"argument " + name + "\"," + at + ',' + was + ");"
                               : "morph_observe::pointee(\"argument *" + name + "\"," + at + ',' +
                                     std::to_string(other_depth) + ");";
    }
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
  made.before += kept + "auto morph_state=[&]{" + state + "};";
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
